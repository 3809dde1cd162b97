import { expect, it } from 'vitest';
import { compile } from '../compile.ts';
import { kubernetesEnvironment } from '../kubernetes/index.ts';

/** The results of cel-go v0.26.0 with golang.org/x/text v0.39.0, as in Kubernetes 1.36. */
const FORMATTED: readonly (readonly [expression: string, text: string])[] = [
  ["'%e'.format([1.5])", '1.500000×10⁰⁰'],
  ["'%.0e'.format([1234.5])", '1.234500×10⁰³'],
  ["'%.20e'.format([-1e-10])", '     -1.000000×10⁻¹⁰'],
  ["'%.10e'.format(['NaN'])", '       NaN'],
  ["'%e'.format(['-Infinity'])", '    -∞'],
  ["'%f'.format([-0.0])", '0.000000'],
  ["'%.2f'.format([1234567.125])", '1,234,567.12'],
  ["'%.0f'.format([2.5])", '2'],
  ["'%.300f'.format([0.5])", '0.50000000000000000000000000000000000000000000'],
  ["'%.256f'.format([0.1])", '0.1000000000000000055511151231257827021181583404541015625'],
  ["'%.512f'.format([2.0])", '2'],
  ["'%s'.format([1e21])", '1e+21'],
  ["'%s'.format([{'x': [1.0, 1e21]}])", '{"x":[1.000000, 1000000000000000000000.000000]}'],
  ["'%x %X %b %o'.format([255, 'é', true, 8u])", 'ff C3A9 1 10'],
];

it.each(FORMATTED)('%s is formatted as by cel-go', (expression, text) => {
  expect(compile(expression, kubernetesEnvironment()).evaluate({}).value).toBe(text);
});
