// Identifiers and tags of operations: the verb, the group and version of the path, and what the operation is
// about.

const LETTER = /[\p{L}_]/u;
const DIGIT = /\p{Nd}/u;

/** Letters, digits and underscores only; what follows anything else begins with a capital. */
function camelCase(text: string, capital: boolean): string {
  let raise = capital;
  let out = '';
  let first = true;
  for (const letter of text) {
    if (LETTER.test(letter) || (!first && DIGIT.test(letter))) {
      out += raise ? letter.toUpperCase() : letter;
      raise = false;
    } else raise = true;
    first = false;
  }
  return out;
}

const shortGroup = (group: string): string => (group === '' ? 'core' : group.replace(/\.k8s\.io$/, ''));

export function operationId(verb: string, group: string, version: string, subject: string): string {
  return `${verb}${camelCase(shortGroup(group), true)}${camelCase(version, true)}${camelCase(subject, true)}`;
}

export const operationTag = (group: string, version: string): string =>
  `${camelCase(shortGroup(group), false)}_${camelCase(version, false)}`;
