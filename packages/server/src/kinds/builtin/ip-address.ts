// networking.k8s.io/v1 IPAddress: an address that is taken, and by which object.

import { ipFamilyOf, isIpv4Mapped, parseIp, printIp, quoteGo } from '@instar/go';
import { goStruct } from '@instar/kinds';
import { type FieldError, FieldPath, fieldErrors, type JsonObject, type KubeObject } from '@instar/machinery';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import { textAt, valueAt } from '../table/values.ts';
import { validateSubdomain, validateUnchanged } from '../validate/checks.ts';
import { validatePathSegment } from '../validate/path-segment.ts';

interface ParentReference {
  group?: string;
  resource?: string;
  namespace?: string;
  name?: string;
}

interface IpAddress extends KubeObject {
  spec: { parentRef?: ParentReference };
}

const PARENT = FieldPath.of('spec', 'parentRef');

/** The name is the address, in canonical form. */
function validateName(name: string): string[] {
  if (ipFamilyOf(name) === undefined)
    return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  const address = parseIp(name);
  if (typeof address === 'string') return ['must not have leading 0s'];
  if (isIpv4Mapped(address)) return ['must not be an IPv4-mapped IPv6 address'];
  const canonical = printIp(address);
  return canonical === name ? [] : [`must be in canonical form (${quoteGo(canonical)})`];
}

function validateIpAddress({ spec: { parentRef } }: IpAddress): FieldError[] {
  if (parentRef === undefined) return [fieldErrors.required(PARENT)];
  const { group = '', resource = '', name = '', namespace = '' } = parentRef;
  return [
    ...(group === '' ? [] : validateSubdomain(group, PARENT.child('group'))),
    ...validatePathSegment(resource, PARENT.child('resource')),
    ...validatePathSegment(name, PARENT.child('name')),
    ...(namespace === '' ? [] : validatePathSegment(namespace, PARENT.child('namespace'))),
  ];
}

function parentCell(it: JsonObject): string {
  if (valueAt(it, 'spec', 'parentRef') === undefined) return '<none>';
  const of = (name: string): string => textAt(it, ['spec', 'parentRef', name]);
  const resource = of('group') === '' ? of('resource') : `${of('resource')}.${of('group')}`;
  const namespace = of('namespace') === '' ? '' : `/${of('namespace')}`;
  return `${resource.toLowerCase()}${namespace}/${of('name')}`;
}

export const ipAddresses = defineKind({
  plural: 'ipaddresses',
  kind: 'IPAddress',
  shortNames: ['ip'],
  namespaced: false,
  storagePath: 'ipaddresses/',
  versions: [
    {
      group: 'networking.k8s.io',
      version: 'v1',
      type: goStruct('networking/v1.IPAddress'),
      columns: [nameColumn, column('ParentRef', 'The object that has it.', parentCell), ageColumn],
    },
  ],
  strategy: {
    validateName,
    validateCreate: (it) => validateIpAddress(it as IpAddress),
    validateUpdate: (it, old) => [
      ...validateIpAddress(it as IpAddress),
      ...validateUnchanged((it as IpAddress).spec.parentRef, (old as IpAddress).spec.parentRef, PARENT),
    ],
  },
});
