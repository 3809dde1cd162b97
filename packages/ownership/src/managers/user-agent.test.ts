import { expect, it } from 'vitest';
import { managerFromUserAgent, managerOf } from './user-agent.ts';

it.each([
  ['tool/v1.2 (linux/amd64) kubernetes/abc', 'tool'],
  ['tool', 'tool'],
  ['my tool/1', 'my tool'],
  ['/1.0', ''],
  [`${'u'.repeat(140)}/1`, 'u'.repeat(128)],
  [`${'ü'.repeat(65)}/1`, 'ü'.repeat(64)],
  ['a\u0007\tb/1', 'ab'],
  [undefined, ''],
])('the manager of %j is %j', (agent, manager) => expect(managerFromUserAgent(agent)).toBe(manager));

it('a manager that is named comes first', () => {
  expect([managerOf('named', 'tool/1'), managerOf('', 'tool/1'), managerOf(undefined, undefined)]).toEqual([
    'named',
    'tool',
    '',
  ]);
});
