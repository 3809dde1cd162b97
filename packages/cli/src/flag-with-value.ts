// Which flag a path came from, for messages that come from deeper down.
import { resolve } from 'node:path';

export function flagWithValue(flags: object, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const [name] =
    Object.entries(flags).find(
      ([, given]) => typeof given === 'string' && resolve(given) === resolve(path),
    ) ?? [];
  return name === undefined
    ? undefined
    : `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
