// Names of time zones, as the database of IANA has them. The names that this Node knows are used; it accepts
// more than Go does, and in any case of letters.

/** Abbreviations that ICU accepts and IANA does not have. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST'.split(
    ' ',
  ),
);

const ICU_ONLY = /^SystemV\/|^US\/Pacific-New$/;

/** Go finds zones by the names of files, which have capitals and digits at the start of every part. */
const CAPITALIZED = /^[A-Z0-9][^/]*(\/[A-Z0-9][^/]*)*$/;

export function isKnownTimeZone(name: string): boolean {
  if (name === 'Factory') return true;
  if (!CAPITALIZED.test(name) || ABBREVIATIONS.has(name) || ICU_ONLY.test(name)) return false;
  const known = zoneNamed(name);
  return known !== undefined && (known === name || known.toLowerCase() !== name.toLowerCase());
}

/** The name under which this Node knows the zone. */
function zoneNamed(timeZone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
