// Whether a value is a complete Kubernetes object.
import type { SchemaRule } from '../rule.ts';

export const embeddedResource: SchemaRule = {
  kind: 'schema',
  id: 'embedded-resource',
  title: 'Whether a value is an embedded object changed',
  severity: 'breaking',
  breaks: ['writers', 'stored objects'],
  keywords: ['x-kubernetes-embedded-resource'],
  explanation:
    'An embedded object must have apiVersion, kind and well-formed metadata: values without them were valid and are now refused.',
  instead: 'Decide when the field is introduced.',
  examples: [
    {
      title: 'required',
      old: field({}),
      new: field({ 'x-kubernetes-embedded-resource': true }),
      severity: 'breaking',
    },
    {
      title: 'no longer required',
      old: field({ 'x-kubernetes-embedded-resource': true }),
      new: field({}),
      severity: 'caution',
    },
  ],
  compare: ({ old, new: next }) => {
    const [was, is] = [old, next].map((schema) => schema['x-kubernetes-embedded-resource'] === true);
    if (was === is) return [];
    return is
      ? [{ severity: 'breaking', message: 'must now be a complete object with apiVersion and kind' }]
      : [
          {
            severity: 'caution',
            message: 'no longer has to be a complete object; its metadata is no longer specified',
            breaks: ['readers'],
          },
        ];
  },
};

function field(more: object): object {
  return {
    type: 'object',
    properties: { template: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, ...more } },
  };
}
