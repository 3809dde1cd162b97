// v1 says when a job runs in one string, v2 in five fields.
const FIELDS = ['min', 'hour', 'dayOfMonth', 'month', 'dayOfWeek'];

function toV2({ spec, ...object }) {
  const { cronSpec, ...rest } = spec;
  const parts = cronSpec.split(' ');
  return { ...object, spec: { ...rest, ...Object.fromEntries(FIELDS.map((field, i) => [field, parts[i]])) } };
}

function toV1({ spec, ...object }) {
  const rest = Object.fromEntries(Object.entries(spec).filter(([field]) => !FIELDS.includes(field)));
  return { ...object, spec: { ...rest, cronSpec: FIELDS.map((field) => spec[field]).join(' ') } };
}

export default {
  group: 'stable.example.com',
  kind: 'CronTab',
  convert: { 'v1→v2': toV2, 'v2→v1': toV1 },
};
