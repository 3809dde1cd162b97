// networking.k8s.io/v1 ServiceCIDR: a range of which services get their addresses.

import { parseCidr } from '@instar/go';
import { goStruct } from '@instar/kinds';
import { type FieldError, FieldPath, fieldErrors, type KubeObject } from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import { valueAt } from '../table/values.ts';
import { validateCanonicalCidr } from '../validate/cidr.ts';
import { prepareSpecAndStatus } from './spec-and-status.ts';

interface ServiceCidr extends KubeObject {
  spec: { cidrs?: string[] };
}

const CIDRS = FieldPath.of('spec', 'cidrs');
const IMMUTABLE = 'field is immutable';
const SAME_FAMILY =
  'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';

function validateServiceCidr({ spec: { cidrs = [] } }: ServiceCidr): FieldError[] {
  if (cidrs.length === 0) return [fieldErrors.required(CIDRS, 'at least one CIDR required')];
  if (cidrs.length > 2) return [fieldErrors.invalid(CIDRS, { CIDRs: cidrs }, 'may only hold up to 2 values')];
  const errors = cidrs.flatMap((cidr, index) => validateCanonicalCidr(cidr, CIDRS.index(index)));
  const families = cidrs.map((cidr) =>
    typeof parseCidr(cidr) === 'string' ? undefined : cidr.includes(':'),
  );
  if (cidrs.length === 2 && families[0] !== undefined && families[0] === families[1])
    errors.push(fieldErrors.invalid(CIDRS, cidrs, SAME_FAMILY));
  return errors;
}

/** A second family may be added; nothing else may change. */
function validateUpdate(it: ServiceCidr, old: ServiceCidr): FieldError[] {
  const [now, before] = [it.spec.cidrs ?? [], old.spec.cidrs ?? []];
  const changed = before.flatMap((cidr, index) =>
    index < now.length && now[index] !== cidr
      ? [fieldErrors.invalid(CIDRS.index(index), now[index]!, IMMUTABLE)]
      : [],
  );
  if (now.length === before.length) return changed;
  if (before.length === 1 && now.length === 2) return [...changed, ...validateServiceCidr(it)];
  return [fieldErrors.invalid(CIDRS, now, IMMUTABLE)];
}

export const serviceCidrs = defineKind({
  plural: 'servicecidrs',
  kind: 'ServiceCIDR',
  namespaced: false,
  storagePath: 'servicecidrs/',
  versions: [
    {
      group: 'networking.k8s.io',
      version: 'v1',
      type: goStruct('networking/v1.ServiceCIDR'),
      statusSubresource: true,
      columns: [
        nameColumn,
        column('CIDRs', 'The ranges.', (it) => {
          const cidrs = valueAt(it, 'spec', 'cidrs');
          return Array.isArray(cidrs) ? cidrs.join(',') : '';
        }),
        ageColumn,
      ],
    },
  ],
  strategy: {
    ...prepareSpecAndStatus({ generation: false }),
    validateCreate: (it) => validateServiceCidr(it as ServiceCidr),
    validateUpdate: (it, old, { subresource }) =>
      subresource === 'status' ? [] : validateUpdate(it as ServiceCidr, old as ServiceCidr),
  },
});
