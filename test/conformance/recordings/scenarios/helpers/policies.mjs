// Policies of admission in CEL, and how to know when they are in force.
export const ADMISSION = '/apis/admissionregistration.k8s.io/v1';
export const KINDS = {
  ValidatingAdmissionPolicy: `${ADMISSION}/validatingadmissionpolicies`,
  ValidatingAdmissionPolicyBinding: `${ADMISSION}/validatingadmissionpolicybindings`,
  MutatingAdmissionPolicy: `${ADMISSION}/mutatingadmissionpolicies`,
  MutatingAdmissionPolicyBinding: `${ADMISSION}/mutatingadmissionpolicybindings`,
};
export const object = (kind, name, spec) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind,
  metadata: { name },
  spec,
});
export const match = (
  group,
  { resources = ['widgets'], operations = ['CREATE', 'UPDATE'], ...rest } = {},
) => ({ resourceRules: [{ apiGroups: [group], apiVersions: ['*'], resources, operations }], ...rest });

async function put(t, url, o) {
  const one = `${url}/${o.metadata.name}`;
  const remove = () => t.client.request('DELETE', one);
  await remove();
  t.onEnd(remove);
  await t.setup('POST', url, { body: o });
  return remove;
}
/**
 * Creates a policy and its binding(s), waits until `seen()` holds, and returns a function that ends them and
 * waits for `!seen()`.
 */
async function install(t, kind, name, spec, bindings, seen) {
  const removals = [];
  for (const [i, b] of [bindings].flat().entries())
    removals.push(
      await put(
        t,
        KINDS[`${kind}Binding`],
        object(`${kind}Binding`, i ? `${name}-${i}` : name, { policyName: name, ...b }),
      ),
    );
  removals.push(await put(t, KINDS[kind], object(kind, name, spec)));
  await t.until(`${name} to be in force`, seen, 20_000);
  return async () => {
    for (const r of removals) await r();
    await t.until(`${name} to lose effect`, async () => !(await seen()), 20_000);
  };
}
export const validating = (t, name, spec, bindings, seen) =>
  install(t, 'ValidatingAdmissionPolicy', name, spec, bindings, seen);
export const mutating = (t, name, spec, bindings, seen) =>
  install(t, 'MutatingAdmissionPolicy', name, spec, bindings, seen);
/** Whether a dry run of a request is refused, or changed, or warned about. */
export const refused = (t, url, body, headers) => async () =>
  (await t.client.request('POST', `${url}?dryRun=All`, { body, headers })).status >= 400;
export const warned = (t, url, body) => async () =>
  Boolean((await t.client.request('POST', `${url}?dryRun=All`, { body })).headers.warning);
export const changed = (t, url, body, test) => async () => {
  const res = await t.client.request('POST', `${url}?dryRun=All`, { body });
  return res.status < 300 && Boolean(test(res.body));
};
