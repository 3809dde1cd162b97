// What the conversion scenarios share: a CronTab whose two versions differ in spec, status and scale, served
// through a webhook.
import { CRDS, crd, custom, integer, object, resource, string } from '../../lib/fixtures.mjs';
import { conversionAnswer } from '../../lib/webhook.mjs';

export const MERGE = 'application/merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';
export const APPLY = 'application/apply-patch+yaml';

const PARTS = ['min', 'hour', 'dayOfMonth', 'month', 'dayOfWeek'];
const rename = (o, from, to) => {
  if (o && from in o) {
    o[to] = o[from];
    delete o[from];
  }
};

/**
 * v1 has spec.cronSpec, spec.replicas and status.replicas where v2 has five fields, spec.workers and
 * status.workers.
 */
export function convertCronTab(o, desired) {
  if (desired.endsWith('/v2')) {
    const words = o.spec?.cronSpec?.split(' ');
    if (words)
      PARTS.forEach((part, i) => {
        o.spec[part] = words[i];
      });
    delete o.spec?.cronSpec;
    rename(o.spec, 'replicas', 'workers');
    rename(o.status, 'replicas', 'workers');
  } else {
    if (o.spec && PARTS.some((part) => part in o.spec))
      o.spec.cronSpec = PARTS.map((part) => o.spec[part] ?? '*').join(' ');
    PARTS.forEach((part) => {
      delete o.spec?.[part];
    });
    rename(o.spec, 'workers', 'replicas');
    rename(o.status, 'workers', 'replicas');
  }
  return { ...o, apiVersion: desired };
}

const version = (name, count, spec) => ({
  name,
  schema: object({
    spec: object({ ...spec, image: string, [count]: integer }),
    status: object({ [count]: integer, selector: string, phase: string }),
  }),
  subresources: {
    status: {},
    scale: {
      specReplicasPath: `.spec.${count}`,
      statusReplicasPath: `.status.${count}`,
      labelSelectorPath: '.status.selector',
    },
  },
});
export const V1 = version('v1', 'replicas', { cronSpec: string });
export const V2 = version('v2', 'workers', Object.fromEntries(PARTS.map((part) => [part, string])));

/** spec.conversion of a CRD that calls `hook`. */
export const byWebhook = (
  hook,
  path = '/convert',
  conversionReviewVersions = ['v1'],
  caBundle = hook.caBundle,
) => ({
  strategy: 'Webhook',
  webhook: { clientConfig: { url: `${hook.url}${path}`, caBundle }, conversionReviewVersions },
});
export const byNone = { strategy: 'None', webhook: null };

/** Without managedFields, which double the size of an answer; lists too. */
export function lean(o) {
  if (o.items) return { ...o, items: o.items.map(lean) };
  const { managedFields, ...metadata } = o.metadata ?? {};
  return { ...o, metadata };
}

/**
 * Installs CronTabs in a group and a namespace of their own. By default v1 is stored and a webhook converts
 * as it should.
 * `answer` scripts the webhook, `versions` replaces the two versions, `conversion(hook)` replaces
 * spec.conversion.
 */
export async function install(
  t,
  area,
  { answer = conversionAnswer(convertCronTab), versions = [V1, V2], conversion = byWebhook, ...spec } = {},
) {
  const group = `conversion-${area}.conf.example.com`;
  const ns = await t.namespace(`conf-conversion-${area}`);
  const hook = await t.webhook(answer);
  const def = crd(group, 'CronTab', { versions, conversion: conversion(hook), ...spec });
  const definition = `${CRDS}/${def.metadata.name}`;
  const patch = (change) => t.setup('PATCH', definition, { body: { spec: change }, type: MERGE });
  await t.crd(def);
  // A CRD goes only when its objects can be read, whatever the scenario has made of its webhook.
  t.onEnd(() => patch({ conversion: byNone }));
  const url = (v, name = '') => resource(group, v, 'crontabs', ns) + (name && `/${name}`);
  return {
    group,
    ns,
    hook,
    def,
    definition,
    url,
    object: (v, name, rest) => custom(group, v, 'CronTab', name, rest),
    /** Creates an object without comparing the answer. */
    seed: (v, name, rest) => t.setup('POST', url(v), { body: custom(group, v, 'CronTab', name, rest) }),
    /** Changes fields of the CRD's spec and waits until `inForce()` shows that the server serves by them. */
    change: async (change, inForce) => {
      await patch(change);
      await t.until('the changed CRD to be in force', inForce);
    },
    get: async (v, name) => (await t.client.request('GET', url(v, name))).body,
  };
}
