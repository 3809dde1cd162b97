import { expect, it } from 'vitest';
import { parseTokenFile } from './token-file.ts';

it('reads tokens, users and quoted groups', () => {
  const users = parseTokenFile(
    't1,jane,u1,"dev, ops"\n\n# a remark\nt2,"bob ""the"" b",u2\r\nt3,eve,,solo\n',
  );
  expect(users.map(({ token, user }) => [token, user.name, user.uid, user.groups])).toEqual([
    ['t1', 'jane', 'u1', ['dev', 'ops', 'system:authenticated']],
    ['t2', 'bob "the" b', 'u2', ['system:authenticated']],
    ['t3', 'eve', '', ['solo', 'system:authenticated']],
  ]);
});

it.each([
  ['t1,jane', 'line 1: a token file has at least 3 columns'],
  ['ok,a,b\n,jane,u1', 'line 2: the token is empty'],
  ['t1,,u1', 'line 1: the user name is empty'],
])('refuses a token file with the text %j', (text, message) => {
  expect(() => parseTokenFile(text)).toThrow(message);
});
