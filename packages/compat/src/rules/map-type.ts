// Whether server-side apply merges the fields of an object. No map type is the same as granular.
import type { SchemaRule } from '../rule.ts';

export const mapType: SchemaRule = {
  kind: 'schema',
  id: 'map-type',
  title: 'How an object merges changed',
  severity: 'caution',
  breaks: ['appliers'],
  keywords: ['x-kubernetes-map-type'],
  explanation:
    'Server-side apply merges granular objects field by field and replaces atomic ones as a whole. Where several managers apply parts of one object, the last one removes what the others set once it is atomic.',
  instead: 'Choose the map type when the field is introduced.',
  examples: [
    {
      title: 'replaced as a whole',
      old: field({}),
      new: field({ 'x-kubernetes-map-type': 'atomic' }),
      severity: 'caution',
    },
    {
      title: 'what was meant is written out',
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
      return [{ severity: 'safe', message: 'map type granular, which was meant already', breaks: [] }];
    return [{ severity: 'caution', message: `${message}: server-side apply merges otherwise` }];
  },
};

function field(more: object): object {
  return {
    type: 'object',
    properties: { selector: { type: 'object', additionalProperties: { type: 'string' }, ...more } },
  };
}
