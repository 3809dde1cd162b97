// CEL: compilations and evaluations per CPU second, compared with @bufbuild/cel and @marcbachmann/cel-js, in
// one run on one core. Prints for each rule the three rates and the ratio to the faster of the other two. A
// rule that another engine gets wrong (or cannot run) is marked, and its rate does not count.
import { parse as bufParse, plan as bufPlan, celEnv } from '@bufbuild/cel';
import { Environment as MarcEnvironment } from '@marcbachmann/cel-js';
import * as cel from '../packages/cel/dist/index.js';

const container = cel.objectTypeOf('container', {
  name: cel.stringType,
  image: cel.stringType,
  cpu: cel.intType,
  ports: cel.listType(cel.intType),
});
const self = cel.objectTypeOf('self', {
  name: cel.stringType,
  replicas: cel.intType,
  maxReplicas: cel.intType,
  labels: cel.mapType(cel.stringType, cel.stringType),
  containers: cel.listType(container),
});

const raw = {
  name: 'frontend-web-7d9c',
  replicas: 3,
  maxReplicas: 10,
  labels: { app: 'frontend', tier: 'web', env: 'prod' },
  containers: [1, 2, 3, 4].map((n) => ({
    name: `c${n}`,
    image: `registry.example/app${n}:v1.${n}`,
    cpu: 100 * n,
    ports: [80, 443, 8000 + n],
  })),
};
/** The same with bigint integers, which the other two engines need for CEL ints. */
const wide = JSON.parse(JSON.stringify(raw), (_, value) =>
  typeof value === 'number' ? BigInt(value) : value,
);

const rules = {
  simple: 'self.replicas <= self.maxReplicas && self.name.size() < 64',
  arithmetic: '(self.replicas + 2) * 3 - self.maxReplicas / 2 == 10',
  nested:
    'self.containers.all(c, c.cpu <= 1000 && c.ports.exists(p, p == 443) && c.image.startsWith("registry."))',
  maps: "has(self.labels.app) && self.labels['tier'] in ['web', 'db'] && self.labels.all(k, k.size() > 0)",
  regex: "self.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
};

const environment = new cel.Environment({ libraries: [cel.standardLibrary], variables: { self } });
const marc = new MarcEnvironment({ unlistedVariablesAreDyn: true }).registerVariable('self', 'dyn');
const buf = celEnv();

const engines = {
  ours: {
    compile: (rule) => cel.compile(rule, environment),
    run: (program) => program.evaluate({ self: raw }).value,
  },
  'ours, budgeted': {
    compile: (rule) => cel.compile(rule, environment),
    run: (program) =>
      program.evaluate({ self: raw }, { maxCost: 1_000_000, deadline: Date.now() + 1000 }).value,
  },
  '@bufbuild/cel': {
    compile: (rule) => bufPlan(buf, bufParse(rule)),
    run: (program) => program({ self: wide }),
  },
  '@marcbachmann/cel-js': {
    // With its type check, as ours checks types too; it does not support declared fields.
    compile: (rule) => {
      const program = marc.parse(rule);
      program.check();
      return program;
    },
    run: (program) => program({ self: wide }),
  },
};

const rounds = Number(process.env.ROUNDS ?? 3);
const milliseconds = Number(process.env.MS ?? 250);

const cpuMilliseconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/**
 * The best of several rounds after a warm-up, in calls per second of CPU time, so that other load does not
 * affect it.
 */
function rate(call) {
  let best = 0;
  for (let round = 0; round <= rounds; round++) {
    let calls = 0;
    const start = cpuMilliseconds();
    let elapsed = 0;
    do {
      for (let i = 0; i < 200; i++) call();
      calls += 200;
      elapsed = cpuMilliseconds() - start;
    } while (elapsed < milliseconds);
    if (round > 0) best = Math.max(best, (calls / elapsed) * 1000);
  }
  return best;
}

function measure(engine, rule) {
  try {
    const program = engine.compile(rule);
    if (engine.run(program) !== true) return undefined;
    return { compile: rate(() => engine.compile(rule)), run: rate(() => engine.run(program)) };
  } catch {
    return undefined;
  }
}

const shown = (value) =>
  (value === undefined ? 'wrong' : Math.round(value).toLocaleString('en-US')).padStart(12);
const ratio = (ours, others) => {
  const best = Math.max(...others.filter((value) => value !== undefined), 0);
  return best === 0 ? '     —' : `${(ours / best).toFixed(1)}×`.padStart(6);
};

console.log(
  `${'rule'.padEnd(12)}${'what'.padEnd(10)}${Object.keys(engines)
    .map((name) => name.padStart(22))
    .join('')}  ours ÷ faster other`,
);
for (const [name, rule] of Object.entries(rules)) {
  const results = Object.values(engines).map((engine) => measure(engine, rule));
  for (const what of ['compile', 'run']) {
    const rates = results.map((result) => result?.[what]);
    console.log(
      `${name.padEnd(12)}${`${what}/s`.padEnd(10)}${rates.map((value) => shown(value).padStart(22)).join('')}  ${ratio(rates[0], rates.slice(2))}`,
    );
  }
}
