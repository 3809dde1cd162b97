// What the scenarios on server-side apply share.
export const APPLY = 'application/apply-patch+yaml';
export const MERGE = 'application/merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';

const leaves = (fields, at = '') =>
  Object.entries(fields ?? {})
    .flatMap(([k, v]) => (Object.keys(v ?? {}).length ? leaves(v, `${at}${k} `) : [`${at}${k}`]))
    .sort();

/**
 * Who owns what, as { 'manager operation version [subresource]': [path, ...] }. A path is the keys of
 * fieldsV1 in a row.
 * The entries' own order is left out, for it depends on whether two writes fell into the same second.
 */
export const owners = (o) =>
  Object.fromEntries(
    (o.metadata.managedFields ?? []).map((e) => [
      [e.manager, e.operation, e.apiVersion?.split('/').pop(), e.subresource].filter(Boolean).join(' '),
      leaves(e.fieldsV1),
    ]),
  );

/** An object with its owners, without what every object has. */
export function owned({ apiVersion, kind, metadata, ...rest }) {
  const { name, namespace, uid, creationTimestamp, managedFields, ...meta } = metadata;
  return { ...rest, metadata: meta, owners: owners({ metadata }) };
}

/** Applies `body` as `manager`; `query` holds further parameters. */
export const apply = (t, label, url, manager, body, { query = '', pick = owned, ...rest } = {}) =>
  t.step(label, 'PATCH', `${url}?fieldManager=${manager}${query}`, { body, type: APPLY, pick, ...rest });

/** The same as a set-up. */
export const applied = (t, url, manager, body, query = '') =>
  t.setup('PATCH', `${url}?fieldManager=${manager}${query}`, { body, type: APPLY });

/** An apply that conflicts with several managers, which are named in no promised order. */
export async function conflicts(t, label, url, manager, body, query = '') {
  const {
    status,
    body: { reason, message, details },
  } = await t.client.request('PATCH', `${url}?fieldManager=${manager}${query}`, {
    body,
    headers: { 'content-type': APPLY },
  });
  const causes = details?.causes?.toSorted((a, b) => (a.field + a.message < b.field + b.message ? -1 : 1));
  t.note(label, { status, reason, message, causes });
}
