// networking.k8s.io/v1 NetworkPolicy: which connections pods may have. Nothing here enforces it.

import { goStruct } from '@instar/kinds';
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import { selectorText } from '../table/selector-text.ts';
import { objectsAt, valueAt } from '../table/values.ts';
import { type NetworkPolicy, validateNetworkPolicy } from '../validate/network-policy.ts';
import { countSpecChanges } from './counted-spec.ts';

const lengthOf = (value: JsonValue | undefined): number => (Array.isArray(value) ? value.length : 0);

function fillIn(policy: JsonObject): void {
  const { spec } = policy;
  if (!isJsonObject(spec)) return;
  for (const rule of [...objectsAt(policy, 'spec', 'ingress'), ...objectsAt(policy, 'spec', 'egress')])
    for (const port of objectsAt(rule, 'ports')) port['protocol'] ??= 'TCP';
  if (lengthOf(spec['policyTypes']) === 0)
    spec['policyTypes'] = lengthOf(spec['egress']) > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}

export const networkPolicies = defineKind({
  plural: 'networkpolicies',
  kind: 'NetworkPolicy',
  shortNames: ['netpol'],
  namespaced: true,
  storagePath: 'networkpolicies/',
  versions: [
    {
      group: 'networking.k8s.io',
      version: 'v1',
      type: goStruct('networking/v1.NetworkPolicy'),
      fillIn,
      columns: [
        nameColumn,
        column('Pod-Selector', 'The pods that it is for.', (it) =>
          selectorText(valueAt(it, 'spec', 'podSelector')),
        ),
        ageColumn,
      ],
    },
  ],
  strategy: {
    ...countSpecChanges,
    validateCreate: (policy) => validateNetworkPolicy(policy as NetworkPolicy),
    validateUpdate: (policy, old) => validateNetworkPolicy(policy as NetworkPolicy, old as NetworkPolicy),
  },
});
