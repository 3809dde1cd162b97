// Whether server-side apply merges the fields of an object. Without a map type, an object is granular.
import type { SchemaRule } from '../rule.ts';

export const mapType: SchemaRule = {
  kind: 'schema',
  id: 'map-type',
  title: 'How an object merges changed',
  severity: 'caution',
  breaks: ['appliers'],
  keywords: ['x-kubernetes-map-type'],
  explanation:
    'Server-side apply merges granular objects field by field and replaces atomic ones as a whole. If several field managers apply parts of one object and it becomes atomic, each of them removes what the others set.',
  instead: 'Choose the map type when the field is introduced.',
  examples: [
    {
      title: 'replaced as a whole',
      old: field({}),
      new: field({ 'x-kubernetes-map-type': 'atomic' }),
      severity: 'caution',
    },
    {
      title: 'the default becomes explicit',
      old: field({}),
      new: field({ 'x-kubernetes-map-type': 'granular' }),
      severity: 'safe',
    },
  ],
  compare: ({ old, new: next }) => {
    const [was, is] = [old['x-kubernetes-map-type'], next['x-kubernetes-map-type']];
    if (was === is) return [];
    const message = `map type changed from ${was ?? 'granular'} to ${is ?? 'granular'}`;
    if ((was ?? 'granular') === (is ?? 'granular'))
      return [
        {
          severity: 'safe',
          message: 'map type is now explicitly granular, which is the default',
          breaks: [],
        },
      ];
    return [{ severity: 'caution', message: `${message}: server-side apply merges differently` }];
  },
};

function field(more: object): object {
  return {
    type: 'object',
    properties: { selector: { type: 'object', additionalProperties: { type: 'string' }, ...more } },
  };
}
