// certificates.k8s.io/v1 CertificateSigningRequest: a request for a certificate, and what became of it.

import { nameIsDnsSubdomain } from '@instar/go';
import { goStruct } from '@instar/kinds';
import type { JsonObject } from '@instar/machinery';
import type { WriteContext } from '../../objects/definition.ts';
import { defineKind } from '../define-kind.ts';
import { ageColumn, column, nameColumn } from '../table/columns.ts';
import { humanDuration } from '../table/human-duration.ts';
import { objectsAt, textAt, valueAt } from '../table/values.ts';
import {
  type SigningCondition,
  type SigningRequest,
  validateSigningRequest,
  validateSigningRequestUpdate,
} from '../validate/signing-request.ts';

/** The request is that of the user who makes it, whatever it says. */
function prepareForCreate(request: SigningRequest, { user }: WriteContext): void {
  const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...spec } = request.spec;
  const extra = Object.entries(user.extra ?? {}).map(([key, values]): [string, string[]] => [
    key,
    [...values],
  ]);
  request.spec = {
    ...spec,
    ...(user.name !== '' && { username: user.name }),
    ...(user.uid && { uid: user.uid }),
    ...(user.groups.length > 0 && { groups: [...user.groups] }),
    ...(extra.length > 0 && { extra: Object.fromEntries(extra) }),
  };
  request.status = {};
}

function prepareForUpdate(request: SigningRequest, old: SigningRequest, { subresource }: WriteContext): void {
  request.spec = structuredClone(old.spec);
  const conditions = request.status.conditions ?? [];
  if (subresource === 'approval') {
    date(conditions, old);
    request.status = { ...structuredClone(old.status), conditions };
    if (conditions.length === 0) delete request.status.conditions;
  } else if (subresource === 'status') {
    for (const type of ['Approved', 'Denied']) keepDecisions(conditions, old, type);
    date(conditions, old);
  } else request.status = structuredClone(old.status);
}

/** Decisions are not made through the status: as many as there were stay as they were. */
function keepDecisions(conditions: SigningCondition[], { status }: SigningRequest, type: string): void {
  const before = (status.conditions ?? []).filter((each) => each.type === type);
  const now = conditions.flatMap((each, index) => (each.type === type ? [index] : []));
  if (before.length !== now.length) return;
  now.forEach((index, position) => {
    conditions[index] = structuredClone(before[position]!);
  });
}

function date(conditions: readonly SigningCondition[], { status }: SigningRequest): void {
  const now = `${new Date().toISOString().slice(0, 19)}Z`;
  for (const condition of conditions) {
    condition.lastUpdateTime ??= now;
    condition.lastTransitionTime ??=
      (status.conditions ?? []).find(
        ({ type, status: was, lastTransitionTime }) =>
          type === condition.type && was === condition.status && lastTransitionTime != null,
      )?.lastTransitionTime ?? now;
  }
}

function conditionCell(request: JsonObject): string {
  const has = (wanted: string): boolean =>
    objectsAt(request, 'status', 'conditions').some(({ type }) => type === wanted);
  const words = [has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending'];
  if (has('Failed')) words.push('Failed');
  if (textAt(request, ['status', 'certificate']) !== '') words.push('Issued');
  return words.join(',');
}

function durationCell(request: JsonObject): string {
  const seconds = valueAt(request, 'spec', 'expirationSeconds');
  return typeof seconds === 'number' ? humanDuration(seconds * 1000) : '<none>';
}

export const certificateSigningRequests = defineKind({
  plural: 'certificatesigningrequests',
  kind: 'CertificateSigningRequest',
  shortNames: ['csr'],
  namespaced: false,
  storagePath: 'certificatesigningrequests/',
  versions: [
    {
      group: 'certificates.k8s.io',
      version: 'v1',
      type: goStruct('certificates/v1.CertificateSigningRequest'),
      statusSubresource: true,
      subresources: [{ style: 'view', name: 'approval' }],
      columns: [
        nameColumn,
        ageColumn,
        column('SignerName', 'Who is asked to sign.', (it) => textAt(it, ['spec', 'signerName'], '<none>')),
        column('Requestor', 'Who asks.', (it) => textAt(it, ['spec', 'username'])),
        column('RequestedDuration', 'How long the certificate should be valid.', durationCell),
        column('Condition', 'What became of it.', conditionCell),
      ],
      selectableFields: [{ name: 'spec.signerName', value: (it) => textAt(it, ['spec', 'signerName']) }],
    },
  ],
  strategy: {
    validateName: nameIsDnsSubdomain,
    prepareForCreate: (request, context) => prepareForCreate(request as SigningRequest, context),
    prepareForUpdate: (request, old, context) =>
      prepareForUpdate(request as SigningRequest, old as SigningRequest, context),
    validateCreate: (request) => validateSigningRequest(request as SigningRequest),
    validateUpdate: (request, old, { subresource }) =>
      validateSigningRequestUpdate(request as SigningRequest, old as SigningRequest, subresource),
    statusMayWriteMetadata: true,
  },
});
