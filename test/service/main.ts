import { helpText, readCommand } from './cliOptions.ts';
import { type InferenceService, type InferenceServiceOptions, startInferenceService } from './inferenceService.ts';
import { faultTable } from './pages/faultTable.ts';
import { modelTable } from './modelTable.ts';

try {
  const command = readCommand(process.argv.slice(2));
  if (command.type === 'printHelp') process.stdout.write(helpText);
  else if (command.type === 'printModels') process.stdout.write(`${modelTable()}\n${faultTable()}`);
  else await serve(command.options);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function serve(options: InferenceServiceOptions): Promise<void> {
  const service = await startInferenceService(options);
  // Before it prints that it's ready.
  endOn('SIGINT', service);
  endOn('SIGTERM', service);
  process.stdout.write(
    [
      'Local inference service',
      `  base address    ${service.baseUrl}`,
      `  native address  ${service.nativeUrl}`,
      `  legacy address  ${service.legacyBaseUrl}`,
      `  API key         ${service.apiKey}`,
      `  inference log   ${service.origin}/log`,
      `  faults to try   ${service.origin}/faults`,
      'Ctrl+C ends it.',
      '',
    ].join('\n'),
  );
}

/** Once the connections are closed, nothing keeps the process alive. A second signal ends it at once. */
function endOn(signal: NodeJS.Signals, service: InferenceService): void {
  process.once(signal, () => {
    void service.close().then(() => process.exit(0));
  });
}
