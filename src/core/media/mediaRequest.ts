import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import { type MediaBody, type MediaInput, type MediaParameters, setFields } from '../../shared/media.ts';

/**
 * The body of a generation: what was set, and nothing else.
 * @param addressOf returns the URL that an input is sent as.
 */
export async function mediaRequest<P extends MediaParameters>(
  parameters: P,
  addressOf: (input: MediaInput) => Promise<string>,
): Promise<MediaBody<P['kind']>> {
  const { model, width, height }: { readonly model: ModelRef; readonly width?: number; readonly height?: number } =
    parameters;
  const body: Record<string, unknown> = {
    model: refParts(model).model,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  };
  for (const { row, value } of setFields(parameters)) {
    if (row.type !== 'size') body[row.wire] = typeof value === 'object' ? await addressOf(value) : value;
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table gives each field its name and its type
  return body as MediaBody<P['kind']>;
}
