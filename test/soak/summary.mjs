// The table at the end.

export function printSummary(
  { counts, faults, faultCount },
  checks,
  { minutes, seed, webhookFaults, waited },
) {
  const [server, kit, clients] = waited;
  console.log(`\n${minutes} minutes, seed ${seed}, ${webhookFaults} faults of the webhook`);
  console.log(`waited for a processor: server ${server} %, kit ${kit} %, clients ${clients} % of the time\n`);
  const width = 48;
  console.log(`${''.padEnd(width)}${'done'.padStart(9)}${'explained'.padStart(11)}${'slowest'.padStart(11)}`);
  for (const [sort, { done, explained, slowestMs }] of [...counts].sort()) {
    const slowest = slowestMs > 0 ? `${Math.round(slowestMs)} ms` : '';
    console.log(
      `${sort.padEnd(width)}${String(done).padStart(9)}${String(explained).padStart(11)}${slowest.padStart(11)}`,
    );
  }
  console.log('');
  for (const { name, text, holds } of checks)
    console.log(`${holds ? 'ok  ' : 'FAIL'} ${name.padEnd(43)}${text}`);
  console.log(`${faultCount === 0 ? 'ok  ' : 'FAIL'} ${'wrong answers'.padEnd(43)}${faultCount}`);
  for (const fault of faults) console.log(`     ${fault}`);
}
