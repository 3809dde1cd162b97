// Identifiers and tags of operations: the verb, the group and version of the path, and the subject.

const LETTER = /[\p{L}_]/u;
const DIGIT = /\p{Nd}/u;

/** Letters, digits and underscores only; a letter after any other character is capitalized. */
function camelCase(text: string, capital: boolean): string {
  let isCapital = capital;
  let out = '';
  let isFirst = true;
  for (const letter of text) {
    if (LETTER.test(letter) || (!isFirst && DIGIT.test(letter))) {
      out += isCapital ? letter.toUpperCase() : letter;
      isCapital = false;
    } else isCapital = true;
    isFirst = false;
  }
  return out;
}

const shortGroup = (group: string): string => (group === '' ? 'core' : group.replace(/\.k8s\.io$/, ''));

export function operationId(verb: string, group: string, version: string, subject: string): string {
  return `${verb}${camelCase(shortGroup(group), true)}${camelCase(version, true)}${camelCase(subject, true)}`;
}

export const operationTag = (group: string, version: string): string =>
  `${camelCase(shortGroup(group), false)}_${camelCase(version, false)}`;
