// The custom resources of the soak, and where its objects are.

export const GROUP = 'soak.example.com';
/** So short that compaction is part of the load. */
export const HISTORY_SECONDS = 20;
export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const MAPS = '/api/v1/namespaces/default/configmaps';
export const GADGETS = `/apis/${GROUP}/v1/namespaces/default/gadgets`;
export const cronTabs = (version) => `/apis/${GROUP}/${version}/namespaces/default/crontabs`;

const schemaOf = (properties) => ({
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
});

const text = { type: 'string' };

export function definition(plural, kind, versions, conversion) {
  const [singular, listKind] = [kind.toLowerCase(), `${kind}List`];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural, singular, kind, listKind },
      versions: Object.entries(versions).map(([name, properties], at) => ({
        name,
        served: true,
        storage: at === 0,
        schema: schemaOf(properties),
      })),
      ...(conversion && { conversion }),
    },
  };
}

/** Converted by relabeling. */
export const gadgets = () => definition('gadgets', 'Gadget', { v1: { value: text }, v2: { value: text } });

export const cronTabDefinition = (url, ca) =>
  definition(
    'crontabs',
    'CronTab',
    { v1: { cronSpec: text }, v2: { schedule: text } },
    {
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { url: `${url}/convert`, caBundle: Buffer.from(ca).toString('base64') },
      },
    },
  );
