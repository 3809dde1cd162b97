// Names from metadata.generateName: the prefix, truncated so that the name is a DNS label, and five random
// characters.

/** No vowels, to avoid words, and no characters that look alike. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const MAX_PREFIX_LENGTH = 63 - SUFFIX_LENGTH;

/** `random` returns numbers in [0, 1), like Math.random. */
export function generateName(prefix: string, random: () => number): string {
  return `${prefix.slice(0, MAX_PREFIX_LENGTH)}${randomSuffix(SUFFIX_LENGTH, random)}`;
}

function randomSuffix(length: number, random: () => number): string {
  let suffix = '';
  for (let i = 0; i < length; i++) suffix += ALPHABET[Math.floor(random() * ALPHABET.length)];
  return suffix;
}
