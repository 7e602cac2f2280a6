import type { ImageRequest, VideoRequest } from '../../api/mediaTypes.ts';
import type { ImageParameters, MediaInput, VideoParameters } from '../../shared/media.ts';

/** The body of a video generation: what was set, and nothing else. @param addressOf the address that an input is sent as. */
export async function videoRequest(
  parameters: VideoParameters,
  addressOf: (input: MediaInput) => Promise<string>,
): Promise<VideoRequest> {
  const { kind: _kind, aspectRatio, image, audio, saveAudio, promptUpsampling, ...rest } = parameters;
  return {
    ...rest,
    ...(aspectRatio !== undefined && { aspect_ratio: aspectRatio }),
    ...(image !== undefined && { image: await addressOf(image) }),
    ...(audio !== undefined && { audio: await addressOf(audio) }),
    ...(saveAudio !== undefined && { save_audio: saveAudio }),
    ...(promptUpsampling !== undefined && { prompt_upsampling: promptUpsampling }),
  };
}

export function imageRequest(parameters: ImageParameters): ImageRequest {
  const { kind: _kind, prompt, format, ...rest } = parameters;
  return { ...rest, positive_prompt: prompt, ...(format !== undefined && { output_format: format }) };
}
