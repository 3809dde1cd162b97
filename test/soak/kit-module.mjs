// What the webhook kit serves in the soak: a conversion that fails while SIGUSR2 has switched it off.
let isFailing = false;
process.on('SIGUSR2', () => (isFailing = !isFailing));

const rename = (from, to) => (object) => {
  if (isFailing) throw new Error('this webhook fails for a while');
  const { [from]: value, ...spec } = object.spec ?? {};
  return { ...object, spec: value === undefined ? spec : { ...spec, [to]: value } };
};

export default {
  group: 'soak.example.com',
  kind: 'CronTab',
  convert: { 'v1→v2': rename('cronSpec', 'schedule'), 'v2→v1': rename('schedule', 'cronSpec') },
};
