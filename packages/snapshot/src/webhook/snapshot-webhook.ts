// The validating webhook: strict on what is new and on what was valid before, lenient on what was invalid
// already. The webhook kit serves it.
import type { JsonObject } from '@instar/machinery';
import { type AdmissionFunction, type AdmissionWebhook, admission, deny, ratchet } from '@instar/webhook';
import { SNAPSHOT_GROUP, SNAPSHOT_RESOURCES, SNAPSHOT_VERSIONS } from '../resources.ts';

/** As the KEP's tables have it. */
const DENIAL_CODE = 400;

const DECISIONS: ReadonlyMap<string, AdmissionFunction> = new Map(
  SNAPSHOT_RESOURCES.flatMap(({ resource, validate, immutability }) => {
    const decide = ratchet<JsonObject>(validate, { immutable: immutability, code: DENIAL_CODE });
    return SNAPSHOT_VERSIONS.map((version) => [`${SNAPSHOT_GROUP}/${version}/${resource}`, decide] as const);
  }),
);

const admitSnapshot: AdmissionFunction = (request, context) => {
  const { group, version, resource } = request.resource;
  const decide = DECISIONS.get(`${group}/${version}/${resource}`);
  return (
    decide?.(request, context) ??
    deny(notOurs(`${resource}.${version}.${group}`), { code: DENIAL_CODE, reason: 'BadRequest' })
  );
};

function notOurs(asked: string): string {
  const known = SNAPSHOT_RESOURCES.map(({ resource }) => resource).join(' and ');
  return `this webhook is for ${known} of ${SNAPSHOT_GROUP} in ${SNAPSHOT_VERSIONS.join(' and ')}, and was called for ${asked}: correct the rules of its configuration`;
}

/** The path of the KEP, and the one of its first implementation. */
export function snapshotWebhooks(): Record<string, AdmissionWebhook> {
  const webhook = admission(admitSnapshot);
  return { '/volumesnapshots': webhook, '/volumesnapshot': webhook };
}
