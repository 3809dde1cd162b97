import { describe, expect, it } from 'vitest';
import { admission } from '../admission/admission.ts';
import { allow } from '../admission/verdict.ts';
import { conversion } from '../conversion/conversion.ts';
import { parseBody } from './parse-body.ts';
import type { ReviewAnswer } from './webhook.ts';

const TOO_LARGE =
  'the body holds a number that is too large: json: cannot unmarshal number 1e400 into Go value of type float64';

describe('parseBody', () => {
  it.each(['{"a":1e400}', '{"a":[{"b":-1E+999}]}', '{"a":[1,2,1e309]}'])(
    'refuses a number that no float64 holds: %s',
    (text) => {
      expect(parseBody(text)).toEqual({ fault: expect.stringContaining('number that is too large') });
    },
  );

  it('accepts the same characters in a string', () => {
    const review = { a: '1e400' };
    expect(parseBody(JSON.stringify(review))).toEqual({ review });
  });

  it('accepts the largest number', () => {
    const review = { b: [Number.MAX_VALUE] };
    expect(parseBody(JSON.stringify(review))).toEqual({ review });
  });
});

describe('a review with a number that no float64 holds', () => {
  const object =
    '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"size":1e400}}';
  const textOf = ({ body }: ReviewAnswer) => [body].flat().map(String).join('');

  it('is refused by admission', async () => {
    const review = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u","operation":"CREATE","object":${object}}}`;
    const answer = await admission(() => allow()).answer(Buffer.from(review), {});
    expect(answer.status).toBe(400);
    expect(textOf(answer)).toContain(TOO_LARGE);
  });

  it.each([1, 2_000])('is refused by conversion, with %d objects', async (count) => {
    const objects = Array.from({ length: count }, () => object).join(',');
    const review = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"u","desiredAPIVersion":"example.com/v2","objects":[${objects}]}}`;
    const convert = conversion({
      group: 'example.com',
      kind: 'Widget',
      convert: { 'v1→v2': (widget) => widget, 'v2→v1': (widget) => widget },
    });
    const answer = await convert.answer(Buffer.from(review), {});
    expect(answer.status).toBe(400);
    expect(textOf(answer)).toContain(TOO_LARGE);
  });
});
