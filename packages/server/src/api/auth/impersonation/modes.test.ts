import { describe, expect, it } from 'vitest';
import type { UserInfo } from '../../../wire/exchange.ts';
import { ALWAYS_ALLOW, type Attributes, type Authorizer } from '../authorizer.ts';
import { Impersonation } from './modes.ts';
import type { WantedUser } from './wanted-user.ts';

const BOT: UserInfo = { name: 'bot', uid: '', groups: [], extra: {} };
const request: Attributes = {
  user: BOT,
  verb: 'list',
  isResourceRequest: true,
  group: 'g',
  version: 'v1',
  resource: 'widgets',
  subresource: '',
  namespace: 'a',
  name: '',
  path: '',
};
const wanted = (name: string, more: Partial<WantedUser> = {}): WantedUser => ({
  name,
  uid: '',
  groups: [],
  extra: new Map(),
  ...more,
});
/** Allows what is listed as "verb group/resource/name". */
const only = (...allowed: string[]): Authorizer => ({
  ...ALWAYS_ALLOW,
  authorize: ({ verb, group, resource, name }) => ({
    decision: allowed.includes(`${verb} ${group}/${resource}/${name}`) ? 'allow' : 'no-opinion',
    reason: '',
  }),
});
const AUTHN = 'authentication.k8s.io';
const impersonated = (authorizer: Authorizer, user: WantedUser, from = request) =>
  new Impersonation(authorizer).impersonate(user, from);
const impersonate = async (...args: Parameters<typeof impersonated>) => (await impersonated(...args)).user;

describe('a constrained mode', () => {
  const jane = `impersonate:user-info ${AUTHN}/users/jane`;
  const list = 'impersonate-on:user-info:list g/widgets/';

  it('needs both permissions', async () => {
    expect((await impersonate(only(jane, list), wanted('jane'))).groups).toEqual(['system:authenticated']);
  });

  it.each([
    [
      'who',
      [list],
      `users.${AUTHN} "jane" is forbidden: User "bot" cannot impersonate:user-info resource "users"`,
    ],
    [
      'what',
      [jane],
      'widgets.g is forbidden: User "bot" cannot impersonate-on:user-info:list resource "widgets"',
    ],
  ])('is refused without the permission for %s', async (_, allowed, message) => {
    await expect(impersonate(only(...allowed), wanted('jane'))).rejects.toThrow(message);
  });

  it('is named for the audit log', async () => {
    expect((await impersonated(only(jane, list), wanted('jane'))).constraint).toBe('impersonate:user-info');
  });

  it('makes a node a member of system:nodes', async () => {
    const authorizer = only(
      `impersonate:arbitrary-node ${AUTHN}/nodes/n`,
      'impersonate-on:arbitrary-node:list g/widgets/',
    );
    expect((await impersonate(authorizer, wanted('system:node:n'))).groups).toEqual([
      'system:nodes',
      'system:authenticated',
    ]);
  });

  it('lets an account be the node that it runs on', async () => {
    const user = {
      ...BOT,
      name: 'system:serviceaccount:a:b',
      extra: { 'authentication.kubernetes.io/node-name': ['n'] },
    };
    const authorizer = only(
      `impersonate:associated-node ${AUTHN}/nodes/*`,
      'impersonate-on:associated-node:list g/widgets/',
    );
    expect((await impersonate(authorizer, wanted('system:node:n'), { ...request, user })).name).toBe(
      'system:node:n',
    );
    await expect(impersonate(authorizer, wanted('system:node:m'), { ...request, user })).rejects.toThrow(
      'arbitrary-node',
    );
  });

  it.each<[string, Partial<WantedUser>, string]>([
    [
      'system:masters',
      { groups: ['system:masters'] },
      'impersonating the system:masters group is not allowed',
    ],
    ['an empty group', { groups: [''] }, 'impersonating the empty string group is not allowed'],
    ['a key without a domain', { extra: new Map([['k', ['v']]]) }, 'must be a domain-prefixed path'],
    ['an empty value', { extra: new Map([['a.io/k', ['']]]) }, 'the empty string value in extra'],
  ])('never gives %s', async (_, more, message) => {
    const authorizer: Authorizer = {
      ...ALWAYS_ALLOW,
      authorize: ({ verb }) => ({ decision: verb === 'impersonate' ? 'no-opinion' : 'allow', reason: '' }),
    };
    await expect(impersonate(authorizer, wanted('jane', more))).rejects.toThrow(message);
  });
});

it('tries the mode first that a user used last', async () => {
  const impersonation = new Impersonation(only('impersonate /users/jane'));
  await impersonation.impersonate(wanted('jane'), request);
  await expect(impersonation.impersonate(wanted('joe'), request)).rejects.toThrow(
    'users "joe" is forbidden: User "bot" cannot impersonate resource "users"',
  );
});
