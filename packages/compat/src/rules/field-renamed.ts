// A field that went while one like it came.
import { fieldChangesOf } from '../fields/field-changes.ts';
import { shapeOf } from '../fields/likeness.ts';
import type { Change, SchemaRule } from '../rule.ts';
import type { NodePair } from '../walk/node-pair.ts';

const TLS = {
  type: 'object',
  required: ['hostname'],
  properties: { caCertRefs: { type: 'array', items: { type: 'string' } }, hostname: { type: 'string' } },
};

export const fieldRenamed: SchemaRule = {
  kind: 'schema',
  id: 'field-renamed',
  title: 'A field looks renamed or moved',
  severity: 'breaking',
  breaks: ['writers', 'readers', 'stored objects'],
  keywords: ['properties'],
  explanation:
    'One field went, and one with the same schema or a similar name came beside it, or one with the same name and schema elsewhere. For everybody who uses the old name this is a removal: what objects hold there is dropped at the next write unless something converts it. That the two belong together is a guess of this rule.',
  instead:
    'Rename in a new version and convert both ways (`instar check --lens FILE` runs the conversion), or add the new field, keep the old one, and let the controller read both.',
  examples: [
    {
      title: 'BackendTLSPolicy: tls becomes validation',
      old: { type: 'object', properties: { tls: TLS } },
      new: { type: 'object', properties: { validation: TLS } },
      severity: 'breaking',
    },
    {
      title: 'Widget: bar becomes a list of bars',
      old: { type: 'object', properties: { bar: { type: 'integer' } } },
      new: { type: 'object', properties: { bars: { type: 'array', items: { type: 'integer' } } } },
      severity: 'breaking',
    },
    {
      title: 'radius moves into a group',
      old: { type: 'object', properties: { radius: { type: 'integer', minimum: 1 } } },
      new: {
        type: 'object',
        properties: {
          roundConfig: { type: 'object', properties: { radius: { type: 'integer', minimum: 1 } } },
        },
      },
      severity: 'breaking',
    },
    {
      title: 'two fields that have nothing in common',
      old: { type: 'object', properties: { color: { type: 'string' } } },
      new: { type: 'object', properties: { weight: { type: 'integer' } } },
      severity: 'none',
    },
  ],
  compare: (pair) =>
    fieldChangesOf(pair).renamed.map(({ from, to, reason }) => renaming(pair, from, to, reason)),
};

function renaming({ old, new: next }: NodePair, from: string, to: string, reason: string): Change {
  const isSame = shapeOf(old.properties![from]!) === shapeOf(next.properties![to]!);
  return {
    severity: 'breaking',
    at: `.${from}`,
    message: `field looks renamed to ${to} (${reason})${isSame ? '' : ', and its schema changed'}`,
  };
}
