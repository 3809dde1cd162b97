// What the scenarios on schemas share: a CRD with one version, in a group and a namespace of its own, and
// short ways to use it.
import { CRDS, crd, custom, resource } from '../../lib/fixtures.mjs';

/**
 * What is compared of an accepted object unless a step says otherwise: everything but its type and metadata.
 */
export const content = ({ apiVersion, kind, metadata, ...rest }) => rest;

/**
 * A refusal whose text holds what differs from run to run (a whole object with its times, a generated name):
 * of the text only what `keep` matches is compared.
 */
export async function refusal(t, label, method, url, { body, type = 'application/json', keep }) {
  const { status, body: answer } = await t.client.request(method, url, {
    body,
    headers: { 'content-type': type },
  });
  const causes = answer.details?.causes?.map(({ reason, field }) => ({ reason, field }));
  t.note(label, { status, reason: answer.reason, causes, message: keep && answer.message?.match(keep)?.[0] });
}

export async function install(t, area, schema, { kind = 'Widget', scope, ...version } = {}) {
  const group = `schemas-${area}.conf.example.com`;
  const ns = scope === 'Cluster' ? undefined : await t.namespace(`conf-schemas-${area}`);
  const def = crd(group, kind, { scope, versions: [{ name: 'v1', schema, ...version }] });
  await t.crd(def);
  const url = resource(group, 'v1', def.spec.names.plural, ns);
  const body = (name, rest) => custom(group, 'v1', kind, name, rest);
  const type = (patch) =>
    Array.isArray(patch) ? 'application/json-patch+json' : 'application/merge-patch+json';
  const get = async (name) => (await t.client.request('GET', `${url}/${name}`)).body;
  const faults = async (rest) => {
    const { body: answer } = await t.client.request('POST', `${url}?dryRun=All`, {
      body: body('probe', rest),
    });
    return answer.details?.causes?.map((c) => c.field) ?? [];
  };
  let tried = 0;

  const create = (label, name, rest, { query = '', ...opt } = {}) =>
    t.step(label, 'POST', url + query, { body: body(name, rest), pick: content, ...opt });

  return {
    group,
    ns,
    url,
    def,
    body,
    get,
    create,
    /** Creates an object to work on; the answer is not compared. */
    seed: (name, rest) => t.setup('POST', url, { body: body(name, rest) }),
    /** Creates one object for each [label, spec]. */
    tries: async (cases, opt) => {
      for (const [label, spec] of cases) await create(label, `try-${++tried}`, { spec }, opt);
    },
    /** The same for long tables: nothing is stored, and only the status and the causes are compared. */
    outcomes: async (cases) => {
      for (const [label, spec] of cases) {
        const { status, body: answer } = await t.client.request('POST', `${url}?dryRun=All`, {
          body: body('a', { spec }),
        });
        t.note(label, { status, causes: answer.details?.causes });
      }
    },
    read: (label, name, opt) => t.step(label, 'GET', `${url}/${name}`, { pick: content, ...opt }),
    /** Puts back an object as `change` leaves it. `sub` is a subresource such as /status. */
    replace: async (label, name, change, { sub = '', query = '', ...opt } = {}) => {
      const object = await t.setup('GET', `${url}/${name}`);
      change(object);
      return t.step(label, 'PUT', `${url}/${name}${sub}${query}`, { body: object, pick: content, ...opt });
    },
    /** A JSON patch if `patch` is a list, else a merge patch. */
    patch: (label, name, patch, { sub = '', query = '', ...opt } = {}) =>
      t.step(label, 'PATCH', `${url}/${name}${sub}${query}`, {
        body: patch,
        type: type(patch),
        pick: content,
        ...opt,
      }),
    apply: (label, name, rest, { manager = 'one', query = '', ...opt } = {}) =>
      t.step(label, 'PATCH', `${url}/${name}?fieldManager=${manager}${query}`, {
        body: body(name, rest),
        type: 'application/apply-patch+yaml',
        pick: content,
        ...opt,
      }),
    /** Gives the CRD another schema and waits until `served()` shows that it is in force. */
    reschema: async (next, served) => {
      const change = [{ op: 'replace', path: '/spec/versions/0/schema/openAPIV3Schema', value: next }];
      await t.setup('PATCH', `${CRDS}/${def.metadata.name}`, { body: change, type: type(change) });
      await t.until('the new schema to be in force', served);
    },
    /** The fields for which a new object would be refused: a probe for reschema. */
    faults,
    refuses: async (rest) => (await faults(rest)).length > 0,
  };
}

/**
 * CEL rules, each on a field of its own, so that a step runs one rule only.
 * A case is [schema of the field, rule, values for which it holds, values for which it does not].
 */
export async function rules(t, area, cases) {
  const fields = cases.map(([schema, rule], i) => [
    `f${i}`,
    { ...schema, 'x-kubernetes-validations': [{ rule }] },
  ]);
  const w = await install(t, area, {
    type: 'object',
    properties: { spec: { type: 'object', properties: Object.fromEntries(fields) } },
  });
  await w.outcomes(
    cases.flatMap(([, rule, good, bad = []], i) =>
      [...good, ...bad].map((value) => {
        const verb = good.includes(value) ? 'holds' : 'does not hold';
        return [`${rule} ${verb} for ${JSON.stringify(value)}`, { [`f${i}`]: value }];
      }),
    ),
  );
}
