import { expect, it } from 'vitest';
import { ALWAYS_ALLOW, type Attributes, type Authorizer, type Decision } from './authorizer.ts';
import { ALWAYS_DENY, OrderedAuthorizers } from './authorizers.ts';

const attributes = { user: { name: 'jane', uid: '', groups: ['g'], extra: {} } } as unknown as Attributes;
const deciding = (decision: Decision, isLate = false): Authorizer => ({
  ...ALWAYS_DENY,
  authorize: () => (isLate ? Promise.resolve(decision) : decision),
});
const decide = (...authorizers: Authorizer[]) => new OrderedAuthorizers(authorizers).authorize(attributes);
const no = (reason: string): Decision => ({ decision: 'no-opinion', reason });

it('the first that allows decides', () => {
  expect(decide(deciding(no('x')), ALWAYS_ALLOW, ALWAYS_DENY)).toEqual({ decision: 'allow', reason: '' });
});

it('a denial ends the questions', () => {
  const denial: Decision = { decision: 'deny', reason: 'no' };
  expect(decide(deciding(denial), ALWAYS_ALLOW)).toBe(denial);
});

it('the reasons of all are joined if none allows', () => {
  expect(decide(deciding(no('a')), deciding(no('')), deciding(no('b')))).toEqual(no('a\nb'));
});

it('an error is reported only if none allows', async () => {
  const failed = deciding({ ...no(''), error: 'down' }, true);
  expect(await decide(failed, ALWAYS_ALLOW)).toEqual({ decision: 'allow', reason: '' });
  expect(await decide(failed, deciding(no('')))).toEqual({ ...no(''), error: 'down' });
});

it('members of system:masters may do everything', () => {
  const user = { ...attributes.user, groups: ['system:masters'] };
  expect(new OrderedAuthorizers([ALWAYS_DENY]).authorize({ ...attributes, user })).toMatchObject({
    decision: 'allow',
  });
});

it('everything is forbidden by AlwaysDeny', () => {
  expect(decide(ALWAYS_DENY)).toEqual(no('Everything is forbidden.'));
});
