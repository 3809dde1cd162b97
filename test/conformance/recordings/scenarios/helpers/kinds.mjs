// What the scenarios on the built-in kinds share.
import { APPLY, applied, apply, JSON_PATCH, MERGE, owned, owners } from './apply.mjs';

export { APPLY, applied, apply, JSON_PATCH, MERGE, owned, owners };
export const STRATEGIC = 'application/strategic-merge-patch+json';
export const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

export const lean = ({ metadata: { managedFields, ...metadata } = {}, ...rest }) => ({ ...rest, metadata });
export const spec = (b) => b.spec;
export const status = (b) => b.status;
export const names = (b) => b.items.map((i) => i.metadata.name);
export const generation = (b) => ({ generation: b.metadata.generation, spec: b.spec });
/** Columns and cells; times that have passed since are masked. */
export const table = (b) => ({
  kind: b.kind,
  apiVersion: b.apiVersion,
  columns: b.columnDefinitions?.map(({ name, type, format, priority }) => [name, type, format, priority]),
  rows: b.rows?.map((r) =>
    r.cells.map((c) => (typeof c === 'string' ? c.replace(/(?<![\w-])(\d+[smhdy])+(?![\w-])/g, '<age>') : c)),
  ),
  objects: b.rows?.map((r) => [r.object?.kind, r.object?.apiVersion, r.object?.metadata?.name]),
});
/** An event of a watch, in short. */
export const event = (e) => ({
  type: e.type,
  name: e.object.metadata?.name,
  generation: e.object.metadata?.generation,
  labels: e.object.metadata?.labels,
  deleting: Boolean(e.object.metadata?.deletionTimestamp),
});

export const container = (name = 'c', rest = {}) => ({ name, image: 'example.com/app:1', ...rest });
export const podSpec = (rest = {}) => ({ containers: [container()], ...rest });
export const template = (labels = { app: 'a' }, rest = {}) => ({ metadata: { labels }, spec: podSpec(rest) });

/**
 * What is compared, as JSON holds it. An answer of another shape than the real server's is a difference, not
 * the end of the scenario.
 */
const safe = (pick) => (b) => {
  let shown;
  try {
    shown = pick(b);
  } catch {
    shown = { 'another shape': b };
  }
  return shown === undefined ? undefined : JSON.parse(JSON.stringify(shown));
};
/** Some messages quote the whole object, with what differs from run to run. */
const blur = (s) =>
  s
    ?.replace(/(resourceVersion\\*":\\*")\d+/g, '$1<rv>')
    .replace(/(ResourceVersion in (?:object meta: |record \())\d+/g, '$1<rv>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>');

/** Makes the steps of a scenario safe in these two ways. */
export function harden(t) {
  if (t.hardened) return;
  t.hardened = true;
  const { client } = t;
  const step = t.step.bind(t);
  t.step = (label, method, url, o = {}) => step(label, method, url, { ...o, pick: o.pick && safe(o.pick) });
  t.client = {
    url: client.url,
    watch: (...args) => client.watch(...args),
    request: async (...args) => {
      const res = await client.request(...args);
      if (
        res.status >= 400 &&
        typeof res.body?.message === 'string' &&
        /resourceVersion\\*":|ResourceVersion in/.test(res.body.message)
      ) {
        res.body.message = blur(res.body.message);
        for (const c of res.body.details?.causes ?? []) c.message = blur(c.message);
      }
      return res;
    },
  };
}

/**
 * Waits for something that the server sees a little later (a default class, a limit), and goes on without it
 * after three seconds.
 */
export const settle = (t, what, check) =>
  t
    .until(
      what,
      async () => {
        try {
          return await check();
        } catch {
          return false;
        }
      },
      3000,
    )
    .catch(() => {});

/** Empties a collection, whatever finalizers and grace periods hold its objects. */
export async function wipe(t, all, prefix = '') {
  for (let round = 0; round < 3; round++) {
    const { items = [] } = (await t.client.request('GET', all)).body;
    const mine = items.filter(
      (i) =>
        i.metadata.name.startsWith(prefix) &&
        i.metadata.name !== 'kube-root-ca.crt' &&
        i.metadata.name !== 'default',
    );
    if (!mine.length) return;
    for (const { metadata: m } of mine) {
      if (m.finalizers?.length)
        await t.client.request('PATCH', `${all}/${m.name}`, {
          body: { metadata: { finalizers: null } },
          headers: { 'content-type': MERGE },
        });
      await t.client.request('DELETE', `${all}/${m.name}?gracePeriodSeconds=0&propagationPolicy=Background`);
    }
  }
}

/**
 * The collection of one kind: in a namespace, emptied; or cluster-wide, where only objects named conf-… are
 * touched.
 */
export async function scene(t, apiVersion, kind, plural, namespace, prefix = 'conf-') {
  harden(t);
  const ns = namespace && (await t.namespace(namespace));
  const all = `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}/${ns ? `namespaces/${ns}/` : ''}${plural}`;
  const at = (n, sub) => `${all}/${n}${sub ? `/${sub}` : ''}`;
  const empty = () => wipe(t, all, ns ? '' : prefix);
  await empty();
  t.onEnd(empty);
  const make = (name, rest = {}, metadata = {}) => ({
    apiVersion,
    kind,
    metadata: { name, ...metadata },
    ...rest,
  });
  return {
    ns,
    all,
    at,
    make,
    create: (label, body, pick = lean, query = '') => t.step(label, 'POST', `${all}${query}`, { body, pick }),
    made: (body) => t.setup('POST', all, { body }),
    get: (label, n, pick = lean, sub) => t.step(label, 'GET', at(n, sub), { pick }),
    list: (label, query = '', pick = names) => t.step(label, 'GET', `${all}${query}`, { pick }),
    patch: (label, n, body, { type = STRATEGIC, pick = lean, query = '', sub } = {}) =>
      t.step(label, 'PATCH', `${at(n, sub)}${query}`, { body, type, pick }),
    /** An update of the live object as `change` makes it. */
    put: async (label, n, change, { pick = lean, query = '', sub } = {}) => {
      const live = (await t.client.request('GET', at(n))).body;
      let body = live;
      try {
        body = change(live) ?? live;
      } catch {
        /* the object is not as it should be: the step will tell */
      }
      return t.step(label, 'PUT', `${at(n, sub)}${query}`, { body, pick });
    },
    apply: (label, n, manager, body, { sub, pick = owned, ...rest } = {}) =>
      apply(t, label, at(n, sub), manager, body, { pick, ...rest }),
    remove: (label, n, query = '', pick) => t.step(label, 'DELETE', `${at(n)}${query}`, { pick }),
    table: (label, query = '') => t.step(label, 'GET', `${all}${query}`, { headers: TABLE, pick: table }),
    /** Objects tried without being kept: [label, body] each. */
    tries: async (cases, pick = spec, query = '') => {
      for (const [label, body] of cases)
        await t.step(label, 'POST', `${all}?dryRun=All${query}`, { body, pick });
    },
    /** Changes tried without being kept: [label, body, type?] each. */
    changes: async (n, cases, { pick = spec, type: usual = MERGE, sub } = {}) => {
      for (const [label, body, type = usual] of cases)
        await t.step(label, 'PATCH', `${at(n, sub)}?dryRun=All`, { body, type, pick });
    },
  };
}
