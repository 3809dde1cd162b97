import { describe, expect, it } from 'vitest';
import { webhookTokens } from './webhook-tokens.ts';

const USER = { username: 'jane', uid: '7', groups: ['a'], extra: { k: ['v'] } };
const IDENTIFIED = { name: 'jane', uid: '7', groups: ['a', 'system:authenticated'], extra: { k: ['v'] } };

function asking(...answers: (object | Error)[]) {
  const sent: { apiVersion?: string; spec?: object }[] = [];
  let now = 0;
  const tokens = webhookTokens(
    {
      version: 'v1',
      cacheTtlMs: 1000,
      async send(review) {
        sent.push(review as object);
        const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
        if (answer instanceof Error) throw answer;
        return { status: answer };
      },
    },
    ['here'],
    () => now,
  );
  return {
    sent,
    ask: async (audiences = ['here']) => tokens.authenticateToken('t', audiences),
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

it('sends the token and the audiences, and takes the user', async () => {
  const { ask, sent } = asking({ authenticated: true, user: USER });
  expect(await ask()).toEqual({ user: IDENTIFIED, audiences: ['here'] });
  expect(sent[0]).toMatchObject({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token: 't', audiences: ['here'] },
  });
});

describe('says nothing about a token', () => {
  it.each<[string, object, string[]]>([
    ['for other audiences', { authenticated: true, user: USER, audiences: ['there'] }, ['here']],
    ['for the server, if others are wanted', { authenticated: true, user: USER }, ['there']],
    ['that the webhook does not know', { authenticated: false }, ['here']],
  ])('%s', async (_what, status, audiences) => {
    expect(await asking(status).ask(audiences)).toBeUndefined();
  });
});

it.each<[string, object | Error, string]>([
  ['with its own error', { authenticated: false, error: 'expired' }, 'expired'],
  ['if the webhook cannot be asked', new Error('connection refused'), 'connection refused'],
  ['if nobody is named', { authenticated: true, user: {} }, 'names no user'],
])('is refused %s', async (_what, status, reason) => {
  expect(await asking(status).ask()).toEqual({ refused: [expect.stringContaining(reason)] });
});

it('asks again when the answer is too old, and for other audiences', async () => {
  const { ask, sent, pass } = asking({ authenticated: true, user: USER });
  await Promise.all([ask(), ask()]);
  pass(999);
  await ask();
  expect(sent).toHaveLength(1);
  await ask(['here', 'there']);
  pass(1);
  await ask();
  expect(sent).toHaveLength(3);
});

it('asks again after a failure', async () => {
  const { ask } = asking(new Error('down'), { authenticated: true, user: USER });
  expect(await ask()).toEqual({ refused: ['down'] });
  expect(await ask()).toMatchObject({ user: IDENTIFIED });
});
