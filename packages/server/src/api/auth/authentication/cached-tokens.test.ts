import { expect, it } from 'vitest';
import { authenticatedUser } from '../users.ts';
import { cachedTokens } from './cached-tokens.ts';

const user = authenticatedUser('jane', '', []);

function counting(accepts: () => boolean) {
  let now = 0;
  let checks = 0;
  const tokens = cachedTokens(
    {
      async authenticateToken() {
        checks++;
        return accepts() ? { user } : { refused: ['no'] };
      },
    },
    { now: () => now },
  );
  return {
    tokens,
    checks: () => checks,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

it('checks an accepted token once in ten seconds', async () => {
  const { tokens, checks, pass } = counting(() => true);
  await tokens.authenticateToken('t', []);
  pass(9_999);
  expect(tokens.authenticateToken('t', [])).toEqual({ user });
  pass(1);
  await tokens.authenticateToken('t', []);
  expect(checks()).toBe(2);
});

it('checks once for requests that come together', async () => {
  const { tokens, checks } = counting(() => true);
  await Promise.all([1, 2, 3].map(() => tokens.authenticateToken('t', [])));
  expect(checks()).toBe(1);
});

it('checks a refused token each time, and for other audiences separately', async () => {
  const { tokens, checks } = counting(() => false);
  await tokens.authenticateToken('t', []);
  await tokens.authenticateToken('t', []);
  await tokens.authenticateToken('t', ['a']);
  expect(checks()).toBe(3);
});
