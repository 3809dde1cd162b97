import { expect, it } from 'vitest';
import { readRecording, recordingsOf } from './recordings.ts';

it('finds the scenarios of an area', () => {
  expect(recordingsOf('versions').length).toBeGreaterThan(0);
  expect(recordingsOf('no-such-area')).toEqual([]);
});

it('reads the steps of a scenario with their labels and answers', () => {
  const [id] = recordingsOf('versions');
  expect(readRecording(id!)).toContainEqual({ label: expect.any(String), answer: expect.any(Object) });
});
