import type { PolicyHost } from '../policy/policy-host.ts';
import { TestHost } from './test-host.ts';

/** A host with two objects of parameters for every policy. */
export class PolicyTestHost extends TestHost implements PolicyHost {
  readonly paramKindFault = () => undefined;
  readonly params = async () => [{ max: 1 }, { max: 2 }];
  readonly namespaceObject = async (name: string) => ({ metadata: { name } });
}

/** Matches every operation on cron tabs. */
export const cronTabRule = {
  operations: ['*'],
  apiGroups: ['g.example.com'],
  apiVersions: ['v1'],
  resources: ['crontabs'],
};
