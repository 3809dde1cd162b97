import type { JsonObject } from '@instar/machinery';
import { expect, it } from 'vitest';
import { setOfFields } from '../fieldset/paths.ts';
import { make, World, widgetType } from '../testing/widget.ts';
import { extractItems } from './extract.ts';

it('returns what a manager applied', () => {
  const world = new World();
  const spec = {
    image: 'i',
    words: ['b'],
    ports: [{ port: 80, name: 'web' }],
    any: { x: { y: [1] } },
    deep: { deeper: {} },
    fields: { k: 'v' },
  };
  world.apply('alpha', make(spec));
  world.apply(
    'beta',
    make({
      note: 'n',
      words: ['a'],
      ports: [{ port: 80, extra: { a: '1' } }, { port: 81 }],
      any: { x: { z: 1 } },
      deep: { a: '1' },
    }),
  );
  const set = world.live!.metadata.managedFields!.find((e) => e.manager === 'alpha')!.fieldsV1;
  expect(extractItems(world.live as unknown as JsonObject, set as never, widgetType)).toEqual({ spec });
});

it('leaves out what the object does not have', () => {
  expect(
    extractItems({ spec: { image: 'i' } }, setOfFields(['spec', 'note'], ['status', 'phase']), widgetType),
  ).toEqual({});
});
