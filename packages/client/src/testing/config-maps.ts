// Objects for the tests of this package to read and write.
export const configMaps = { group: '', version: 'v1', resource: 'configmaps', namespace: 'default' } as const;

export const configMap = (name: string, data: Record<string, string> = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});
