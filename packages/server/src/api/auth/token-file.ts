// --token-auth-file: a CSV of token,user,uid,"group1,group2". Read once at the start, as upstream.
import type { TokenUser } from './authentication/known-tokens.ts';
import { authenticatedUser } from './users.ts';

export class TokenFileError extends Error {
  override readonly name = 'TokenFileError';
}

export function parseTokenFile(text: string): TokenUser[] {
  const users: TokenUser[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    users.push(tokenUser(parseCsvLine(line), index + 1));
  }
  return users;
}

function tokenUser(fields: readonly string[], lineNumber: number): TokenUser {
  const [token = '', name = '', uid = '', groups = ''] = fields;
  if (fields.length < 3)
    throw new TokenFileError(
      `line ${lineNumber}: a token file has at least 3 columns (token, user name, user uid), found ${fields.length}`,
    );
  if (token === '') throw new TokenFileError(`line ${lineNumber}: the token is empty`);
  if (name === '') throw new TokenFileError(`line ${lineNumber}: the user name is empty`);
  const named = groups
    .split(',')
    .map((group) => group.trim())
    .filter((group) => group !== '');
  return { token, user: authenticatedUser(name, uid, named) };
}

/** One record; quotes may hold commas, and a doubled quote represents one. */
function parseCsvLine(line: string): string[] {
  const fields: string[] = [];
  const field = /\s*(?:"((?:[^"]|"")*)"\s*|([^,]*))(,|$)/y;
  for (;;) {
    const match = field.exec(line);
    if (match === null) return [...fields, line.slice(field.lastIndex)];
    fields.push(match[1] === undefined ? match[2]!.trim() : match[1].replaceAll('""', '"'));
    if (match[3] === '') return fields;
  }
}
