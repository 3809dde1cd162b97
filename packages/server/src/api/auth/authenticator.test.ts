import { expect, it } from 'vitest';
import type { TokenAuthenticator, Verdict } from './authentication/verdict.ts';
import { createAuthenticator } from './authenticator.ts';
import { authenticatedUser } from './users.ts';

const user = authenticatedUser('jane', '1', []);
const sort = (verdict: (audiences: readonly string[]) => Verdict): TokenAuthenticator => ({
  authenticateToken: async (_, audiences) => verdict(audiences),
});
const withToken = (authorization: string) => ({ headers: { authorization }, clientCertificate: undefined });

it('gives all reasons, each once, if no sort of token fits', async () => {
  const tokens = [sort(() => ({ refused: ['too old'] })), sort(() => ({ refused: ['too old', 'too new'] }))];
  const { authenticate } = createAuthenticator({ adminToken: 'root', tokens });
  expect(await authenticate(withToken('Bearer x'))).toEqual({
    refused: ['invalid bearer token', 'too old', 'too new'],
  });
});

it('asks further after a refusal', async () => {
  const tokens = [sort(() => ({ refused: ['too old'] })), sort(() => ({ user }))];
  expect(await createAuthenticator({ tokens }).authenticate(withToken('Bearer x'))).toEqual({ user });
});

it('takes tokens without audiences as meant for the server alone', async () => {
  const { authenticate } = createAuthenticator({
    tokenUsers: [{ token: 't', user }],
    audiences: ['here', 'also'],
  });
  expect(authenticate(withToken('Bearer t'))).toEqual({ user, audiences: ['here', 'also'] });
  expect(authenticate(withToken('Bearer t'), ['also', 'there'])).toEqual({ user, audiences: ['also'] });
  expect(authenticate(withToken('Bearer t'), ['there'])).toEqual({ refused: ['invalid bearer token'] });
});

it.each(['Bearer', 'Basic t', 't', 'Bearer  t'])('sees no credential in %j', (header) => {
  const { authenticate } = createAuthenticator({ tokenUsers: [{ token: 't', user }] });
  expect(authenticate(withToken(header))).toBeUndefined();
});

it('warns of a space before the token', async () => {
  const warnings: string[] = [];
  await createAuthenticator({}).authenticate({ ...withToken('Bearer  t'), warnings });
  expect(warnings).toEqual([expect.stringContaining('extra space before the bearer token')]);
});
