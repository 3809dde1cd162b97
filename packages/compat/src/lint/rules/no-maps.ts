// A map where a list with keys would do.
import type { NodeLintRule } from '../lint-rule.ts';

/** Where Kubernetes itself has maps. */
const USUAL =
  /(labels|annotations|selector|limits|requests|capacity|allocatable|data|overhead|sizeLimits|parameters|options|attributes)$/i;

export const noMaps: NodeLintRule = {
  kind: 'node',
  id: 'no-maps',
  title: 'A map where a list with keys would do',
  explanation:
    'The keys of a map are data that no schema describes, and entries cannot get additional fields. The API conventions reserve maps for labels, annotations and the like.',
  instead: 'Use a list with x-kubernetes-list-type: map and x-kubernetes-list-map-keys.',
  profiles: { default: 'warning', 'gateway-api': 'warning', strict: 'error' },
  examples: [
    {
      title: 'a map of objects',
      spec: {
        type: 'object',
        properties: {
          ports: {
            type: 'object',
            additionalProperties: { type: 'object', properties: { port: { type: 'integer' } } },
          },
        },
      },
      found: true,
    },
    {
      title: 'labels',
      spec: {
        type: 'object',
        properties: { labels: { type: 'object', additionalProperties: { type: 'string' } } },
      },
      found: false,
    },
    {
      title: 'quantities',
      spec: {
        type: 'object',
        properties: {
          limits: { type: 'object', additionalProperties: { 'x-kubernetes-int-or-string': true } },
        },
      },
      found: false,
    },
  ],
  look: ({ schema, name }) =>
    schema.additionalProperties === undefined || schema.additionalProperties === false || USUAL.test(name)
      ? undefined
      : 'is a map',
};
