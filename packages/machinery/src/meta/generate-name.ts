// Names made from metadata.generateName: the prefix, cut so that the whole stays a DNS label, and five random
// characters.

/** No vowels and nothing that looks like another character, so that no words arise. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const MAX_PREFIX_LENGTH = 63 - SUFFIX_LENGTH;

/** `random` gives numbers in [0, 1), as Math.random does. */
export function generateName(prefix: string, random: () => number): string {
  return `${prefix.slice(0, MAX_PREFIX_LENGTH)}${randomSuffix(SUFFIX_LENGTH, random)}`;
}

function randomSuffix(length: number, random: () => number): string {
  let suffix = '';
  for (let i = 0; i < length; i++) suffix += ALPHABET[Math.floor(random() * ALPHABET.length)];
  return suffix;
}
