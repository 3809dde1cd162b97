// The manager if the request does not name one: the beginning of its User-Agent.

const MAX_BYTES = 128;
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const encodedLength = (character: string): number => {
  const code = character.codePointAt(0)!;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
};

/** What precedes the first slash, without unprintable characters, cut to the length of a manager's name. */
export function managerFromUserAgent(userAgent: string | undefined): string {
  if (last.userAgent !== userAgent) last = { userAgent, manager: printableName(userAgent) };
  return last.manager;
}

/** Consecutive requests are often from one client. */
let last: { readonly userAgent: string | undefined; readonly manager: string } = {
  userAgent: undefined,
  manager: '',
};

function printableName(userAgent: string | undefined): string {
  let name = '';
  let bytes = 0;
  for (const character of (userAgent ?? '').split('/', 1)[0]!) {
    if (!PRINTABLE.test(character)) continue;
    bytes += encodedLength(character);
    if (bytes > MAX_BYTES) break;
    name += character;
  }
  return name;
}

/**
 * The manager of a request: the `fieldManager` parameter if given. An empty name is recorded as "unknown".
 */
export function managerOf(fieldManager: string | undefined, userAgent: string | undefined): string {
  return fieldManager === undefined || fieldManager === '' ? managerFromUserAgent(userAgent) : fieldManager;
}
