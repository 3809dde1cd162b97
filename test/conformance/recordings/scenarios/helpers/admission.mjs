// What the scenarios on admission webhooks share.
import { crd, custom, integer, object, resource, string } from '../../lib/fixtures.mjs';
import { admissionAnswer } from '../../lib/webhook.mjs';

export const MERGE = 'application/merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';
export const APPLY = 'application/apply-patch+yaml';
export const CONFIGURATIONS = {
  ValidatingWebhookConfiguration: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
  MutatingWebhookConfiguration: '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
};
export const VALIDATING = 'ValidatingWebhookConfiguration';
export const MUTATING = 'MutatingWebhookConfiguration';

export const configuration = (kind, name, webhooks, rest = {}) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind,
  metadata: { name, ...rest },
  webhooks,
});

export const cronTab = object({
  spec: object({ cronSpec: string, image: string, replicas: integer }),
  status: object({ replicas: integer, phase: string }),
});
export const subresources = {
  status: {},
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
};

/**
 * A CRD of CronTabs (unless told otherwise) with status and scale, and the means to put webhooks before it.
 * `configure(kind, suffix, webhooks)` creates a configuration, waits until it is in force, and returns a
 * function that ends it.
 */
export async function scene(
  t,
  name,
  { versions = [{ name: 'v1', schema: cronTab, subresources }], ...rest } = {},
) {
  const group = `${name}.conf.example.com`;
  const ns = await t.namespace(`conf-${name}`);
  await t.crd(crd(group, 'CronTab', { versions, ...rest }));
  const served = versions[0].name;
  const all = resource(group, served, 'crontabs', rest.scope === 'Cluster' ? undefined : ns);
  const make = (n, rest = {}, metadata = {}) => ({
    ...custom(group, served, 'CronTab', n, rest),
    metadata: { name: n, ...metadata },
  });

  // A configuration takes effect as a whole. So its first webhook, which is for objects with a certain label
  // only, tells when.
  const ready = await t.webhook(admissionAnswer(() => ({ allowed: true })));
  const inForce = async (mark) => {
    take(ready);
    await t.client.request('POST', `${all}?dryRun=All`, {
      body: make('probe', {}, { labels: { probe: mark } }),
    });
    return take(ready).some((c) => c.url.split('?')[0] === `/${mark}`);
  };
  const configure = async (kind, suffix, webhooks) => {
    const full = `${name}-${suffix}.conf.example.com`;
    const url = `${CONFIGURATIONS[kind]}/${full}`;
    const remove = () => t.client.request('DELETE', url);
    await remove();
    t.onEnd(remove);
    const mark = `${kind}-${suffix}`;
    const probe = webhook(`probe.${full}`, ready, rule(group, { operations: ['CREATE'] }), {
      path: `/${mark}`,
      objectSelector: { matchLabels: { probe: mark } },
    });
    await t.setup('POST', CONFIGURATIONS[kind], { body: configuration(kind, full, [probe, ...webhooks]) });
    await t.until(`${full} to take effect`, () => inForce(mark));
    return async () => {
      await remove();
      await t.until(`${full} to lose effect`, async () => !(await inForce(mark)));
    };
  };
  return { group, ns, all, at: (n) => `${all}/${n}`, make, configure };
}

export const rule = (
  group,
  { operations = ['*'], apiVersions = ['*'], resources = ['crontabs'], ...rest } = {},
) => ({ apiGroups: [group], apiVersions, operations, resources, ...rest });

/** One webhook of a configuration, served by `hook` (from t.webhook) at `path`. */
export const webhook = (name, hook, rules, { path = '', ...rest } = {}) => ({
  name,
  rules: [rules].flat(),
  clientConfig: { url: `${hook.url}${path}`, caBundle: hook.caBundle },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...rest,
});

/** Takes the calls received so far, in order. */
export const take = (hook) => hook.calls.splice(0);

/** A review without what depends on how the client logged in. */
export function plain({ apiVersion, kind, request }) {
  const { userInfo, ...rest } = request;
  return {
    apiVersion,
    kind,
    request: {
      ...rest,
      userInfo: { username: typeof userInfo?.username, groups: Array.isArray(userInfo?.groups) },
    },
  };
}

/** What a review says of the request, with the objects cut down to what was written. */
export function brief({ request: { uid, userInfo, object, oldObject, ...rest } }) {
  const cut = (o) =>
    o && {
      kind: `${o.apiVersion} ${o.kind}`,
      spec: o.spec,
      status: o.status,
      labels: o.metadata?.labels,
      generation: o.metadata?.generation,
      resourceVersion: o.metadata?.resourceVersion,
    };
  return JSON.parse(JSON.stringify({ ...rest, object: cut(object), oldObject: cut(oldObject) }));
}
