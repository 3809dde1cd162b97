// Validation of the names of objects, by format. `isPrefix` is true for generateName, which may end in a dash
// because something follows.
import { validateDns1035Label, validateDns1123Label, validateDns1123Subdomain } from './names.ts';

/** Returns the reasons why the name is refused. */
export type ValidateName = (name: string, isPrefix: boolean) => string[];

/** The names of most objects. */
export const nameIsDnsSubdomain: ValidateName = (name, isPrefix) =>
  validateDns1123Subdomain(isPrefix ? maskTrailingDash(name) : name);
/** The names of namespaces and the like. */
export const nameIsDnsLabel: ValidateName = (name, isPrefix) =>
  validateDns1123Label(isPrefix ? maskTrailingDash(name) : name);
/** The names of services. */
export const nameIsDns1035Label: ValidateName = (name, isPrefix) =>
  validateDns1035Label(isPrefix ? maskTrailingDash(name) : name);

/** Anything that can be a path segment of a URL: the minimum for every name. */
export const nameIsPathSegment: ValidateName = (name, isPrefix) => {
  if (!isPrefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%']
    .filter((illegal) => name.includes(illegal))
    .map((illegal) => `may not contain '${illegal}'`);
};

/** Upstream replaces the last two characters, not only the dash; hence names such as "A-" are valid. */
function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}
