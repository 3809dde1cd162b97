import { encodeUtf8 } from '@instar/go';
import { isKnownJson } from '@instar/machinery';
import { expect, it } from 'vitest';
import { compileSchema } from '../compile.ts';

it('has no shape for a schema with a default in metadata', () => {
  const metadata = { type: 'object', properties: { generateName: { type: 'string', default: 'w-' } } };
  const schema = compileSchema({ type: 'object', properties: { metadata } });
  const object = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' } };
  const shape = schema.shape('pruned and defaulted');
  expect(shape !== undefined && isKnownJson(encodeUtf8(JSON.stringify(object)), shape)).toBe(
    !schema.applyDefaults(object),
  );
  expect(schema.shape('pruned')).toBeDefined();
});
