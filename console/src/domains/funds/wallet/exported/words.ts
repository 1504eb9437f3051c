import type { Tone } from '../../../../ui/value/StateTag.tsx';

export const differsTones: Readonly<Record<number, Tone>> = { 0: 'good', 1: 'warn', 2: 'idle' };
export const walletStateTones: Readonly<Record<number, Tone>> = { 0: 'idle', 1: 'good' };
