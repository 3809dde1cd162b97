// networking.k8s.io/v1 Ingress: which requests from outside reach which service.

import { goStruct } from '@instar/kinds';
import type { JsonObject } from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import { objectsAt, textAt } from '../table/values.ts';
import {
  INGRESS_CLASS_ANNOTATION,
  type Ingress,
  validateIngress,
  validateIngressStatus,
} from '../validate/ingress.ts';
import { prepareSpecAndStatus } from './spec-and-status.ts';

const MAX_HOSTS = 3;

function hostsCell(ingress: JsonObject): string {
  const rules = objectsAt(ingress, 'spec', 'rules');
  const hosts: string[] = [];
  let more = false;
  for (const { host } of rules) {
    if (hosts.length === MAX_HOSTS) more = true;
    else if (typeof host === 'string' && host !== '') hosts.push(host);
  }
  if (hosts.length === 0) return '*';
  return hosts.join(',') + (more ? ` + ${rules.length - MAX_HOSTS} more...` : '');
}

const addressCell = (ingress: JsonObject): string => {
  const all = objectsAt(ingress, 'status', 'loadBalancer', 'ingress').map(({ ip, hostname }) =>
    String(ip || hostname || ''),
  );
  return [...new Set(all.filter((text) => text !== ''))].sort().join(',');
};

function warningsOf({ metadata, spec }: Ingress): string[] {
  const annotated = Object.hasOwn(metadata.annotations ?? {}, INGRESS_CLASS_ANNOTATION);
  return annotated && spec.ingressClassName === undefined
    ? [`annotation "${INGRESS_CLASS_ANNOTATION}" is deprecated, please use 'spec.ingressClassName' instead`]
    : [];
}

export const ingresses = defineKind({
  plural: 'ingresses',
  kind: 'Ingress',
  shortNames: ['ing'],
  namespaced: true,
  storagePath: 'ingress/',
  versions: [
    {
      group: 'networking.k8s.io',
      version: 'v1',
      type: goStruct('networking/v1.Ingress'),
      statusSubresource: true,
      columns: [
        nameColumn,
        column('Class', 'The class that serves it.', (it) =>
          textAt(it, ['spec', 'ingressClassName'], '<none>'),
        ),
        column('Hosts', 'The hosts of its rules.', hostsCell),
        column('Address', 'Where it can be reached.', addressCell),
        column('Ports', 'Its ports.', (it) => (objectsAt(it, 'spec', 'tls').length > 0 ? '80, 443' : '80')),
        ageColumn,
      ],
    },
  ],
  strategy: {
    ...prepareSpecAndStatus(),
    validateCreate: (ingress) => validateIngress(ingress as Ingress),
    validateUpdate: (ingress, old, { subresource }) =>
      subresource === 'status'
        ? validateIngressStatus(ingress as Ingress, old as Ingress)
        : validateIngress(ingress as Ingress, old as Ingress),
    warnings: (ingress, old) => (old === undefined ? warningsOf(ingress as Ingress) : []),
    statusMayWriteMetadata: true,
  },
});
