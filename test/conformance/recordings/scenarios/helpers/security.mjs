// What the scenarios on authorization, authentication and built-in admission share.
import { crd, custom, integer, object, resource, string } from '../../lib/fixtures.mjs';

export const MERGE = 'application/merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';
export const STRATEGIC = 'application/strategic-merge-patch+json';
export const APPLY = 'application/apply-patch+yaml';
export const RBAC = '/apis/rbac.authorization.k8s.io/v1';
export const AUTHZ = '/apis/authorization.k8s.io/v1';
export const AUTHN = '/apis/authentication.k8s.io/v1';
const GROUP = 'rbac.authorization.k8s.io';

export const lean = (b) => {
  if (!b?.metadata) return b;
  const {
    metadata: { managedFields, ...metadata },
    ...rest
  } = b;
  return { ...rest, metadata };
};
export const names = (b) => b.items.map((i) => i.metadata.name);

/** Roles and bindings: of a namespace, or of the cluster when `ns` is not given. */
export const roles = (ns) => (ns ? `${RBAC}/namespaces/${ns}/roles` : `${RBAC}/clusterroles`);
export const bindings = (ns) =>
  ns ? `${RBAC}/namespaces/${ns}/rolebindings` : `${RBAC}/clusterrolebindings`;
export const rule = (apiGroups, resources, verbs, rest = {}) => ({
  apiGroups: [apiGroups].flat(),
  resources: [resources].flat(),
  verbs: [verbs].flat(),
  ...rest,
});
export const paths = (nonResourceURLs, verbs = 'get') => ({
  nonResourceURLs: [nonResourceURLs].flat(),
  verbs: [verbs].flat(),
});
export const role = (ns, name, rules, rest = {}) => ({
  apiVersion: `${GROUP}/v1`,
  kind: ns ? 'Role' : 'ClusterRole',
  metadata: { name },
  rules,
  ...rest,
});
export const user = (name) => ({ kind: 'User', apiGroup: GROUP, name });
export const group = (name) => ({ kind: 'Group', apiGroup: GROUP, name });
export const account = (namespace, name) => ({ kind: 'ServiceAccount', namespace, name });
/** `ref` is "Role/name" or "ClusterRole/name". */
export const binding = (ns, name, ref, subjects, rest = {}) => ({
  apiVersion: `${GROUP}/v1`,
  kind: ns ? 'RoleBinding' : 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: GROUP, kind: ref.slice(0, ref.indexOf('/')), name: ref.slice(ref.indexOf('/') + 1) },
  subjects: subjects && [subjects].flat(),
  ...rest,
});

/** The headers with which the admin acts as someone else. */
export const as = (name, { groups, uid, extra = {} } = {}) => ({
  'impersonate-user': name,
  ...(groups ? { 'impersonate-group': [groups].flat() } : {}),
  ...(uid ? { 'impersonate-uid': uid } : {}),
  ...Object.fromEntries(Object.entries(extra).map(([k, v]) => [`impersonate-extra-${k}`, [v].flat()])),
});

/** Creates objects under `url`, clear of what an earlier run left, and removes them at the end. */
export async function make(t, url, ...objects) {
  for (const o of objects) {
    const one = `${url}/${encodeURIComponent(o.metadata.name)}`;
    await t.client.request('DELETE', one);
    t.onEnd(() => t.client.request('DELETE', one));
    await t.setup('POST', url, { body: o });
  }
}
/** Removes now and at the end what the steps of a scenario create by themselves. */
export async function clean(t, ...urls) {
  const all = async () => {
    for (const u of urls) await t.client.request('DELETE', u);
  };
  await all();
  t.onEnd(all);
}

const review = (kind, spec) => ({ apiVersion: 'authorization.k8s.io/v1', kind, spec });
/** Whether a user may do something, as the server itself says. */
export async function may(t, who, attributes) {
  const res = await t.client.request('POST', `${AUTHZ}/subjectaccessreviews`, {
    body: review('SubjectAccessReview', { ...who, ...attributes }),
  });
  if (res.status !== 201) throw new Error(`access review: ${res.status} ${JSON.stringify(res.body)}`);
  return res.body.status.allowed;
}
/**
 * Rules take effect a moment after they are written: waits until this user may (or may no longer) do this.
 */
export const settled = (t, who, attributes, allowed = true) =>
  t.until(
    `${JSON.stringify(who)} ${JSON.stringify(attributes)} to be ${allowed ? 'allowed' : 'refused'}`,
    async () => (await may(t, who, attributes)) === allowed,
  );

const whoOf = (s) => {
  if (s.kind === 'User') return { user: s.name };
  if (s.kind === 'Group') return { user: 'somebody', groups: [s.name] };
  return { user: `system:serviceaccount:${s.namespace}:${s.name}` };
};
const sample = (v) => (v === '*' ? 'anything' : v);
const attributesOf = (r, namespace) => {
  if (r.nonResourceURLs)
    return {
      nonResourceAttributes: {
        path: r.nonResourceURLs[0].replace('*', 'x') || '/x',
        verb: sample(r.verbs[0]),
      },
    };
  const [res, sub] = r.resources[0].split('/');
  return {
    resourceAttributes: {
      namespace,
      group: sample(r.apiGroups[0]),
      resource: sample(res),
      subresource: sub && sample(sub),
      verb: sample(r.verbs[0]),
      name: r.resourceNames?.[0],
    },
  };
};
/**
 * A role and a binding of the same name for the subjects, in force when it returns. `of`: the namespace of
 * the binding when the role is of the cluster.
 */
export async function grant(t, ns, name, rules, subjects, { of = ns } = {}) {
  await make(t, roles(ns), role(ns, name, rules));
  await make(t, bindings(of), binding(of, name, `${ns ? 'Role' : 'ClusterRole'}/${name}`, subjects));
  for (const s of [subjects].flat()) await settled(t, whoOf(s), attributesOf(rules[0], of));
}

export const widgetSchema = object({
  spec: object({ size: string, replicas: integer, labelSelector: string }),
  status: object({ replicas: integer, phase: string }),
});
/** A namespace and a CRD of Widgets (with status and scale) of a group of its own. */
export async function scene(t, name, rest = {}) {
  const g = `${name}.conf.example.com`;
  const ns = await t.namespace(`conf-${name}`);
  await t.crd(
    crd(g, 'Widget', {
      versions: [
        {
          name: 'v1',
          schema: widgetSchema,
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
          },
        },
      ],
      ...rest,
    }),
  );
  const all = resource(g, 'v1', 'widgets', rest.scope === 'Cluster' ? undefined : ns);
  return {
    group: g,
    ns,
    all,
    at: (n) => `${all}/${n}`,
    everywhere: resource(g, 'v1', 'widgets'),
    widget: (n, body = { spec: { size: 'm' } }) => custom(g, 'v1', 'Widget', n, body),
  };
}

/** Takes what differs from run to run (a name made up, a token) out of an answer. */
export const hide = (value, ...pairs) => {
  let text = JSON.stringify(value);
  for (const [what, by] of pairs) if (what) text = text.replaceAll(what, by);
  return JSON.parse(text);
};
/** A compared request whose message quotes the time of the request. */
export async function timeless(t, label, method, url, { body, headers } = {}) {
  const res = await t.client.request(method, url, { body, headers });
  t.note(label, {
    status: res.status,
    body: JSON.parse(JSON.stringify(res.body).replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>')),
  });
}
