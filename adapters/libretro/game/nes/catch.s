; Copyright 2026 The Reprise Authors.
; SPDX-License-Identifier: Apache-2.0
;
; A game for the NES: an apple falls, a basket catches it. Nine are wanted, three
; may be lost; from then on all stands still. Where the next one falls follows
; from a register with feedback, which goes on each frame and with each button.
;
;   ca65 -g catch.s -o catch.o
;   ld65 -C catch.cfg catch.o -o catch.nes -Ln catch.labels

WANTED = 9
LOST_MAX = 3
FLOOR = 200

.segment "HEADER"
  .byte "NES", $1a
  .byte 1, 1       ; 16 KiB of program, 8 KiB of pictures
  .byte 0, 0       ; mapper 0

.segment "ZEROPAGE"
buttons:   .res 1  ; a b select start up down left right, from bit 7 on
basket_x:  .res 1
apple_x:   .res 1
apple_y:   .res 1
speed:     .res 1  ; of the apple, in 16ths of a line
fraction:  .res 1
caught:    .res 1
lost:      .res 1
random:    .res 1
frames:    .res 1
is_frame:  .res 1

.segment "OAM"
sprites:   .res 256

.segment "CODE"
reset:
  sei
  cld
  ldx #$ff
  txs
  inx              ; 0
  stx $2000
  stx $2001
@first_frame:
  bit $2002
  bpl @first_frame
  txa
@clear:
  sta $00,x
  sta $0200,x
  inx
  bne @clear
@second_frame:
  bit $2002
  bpl @second_frame
  lda #120
  sta basket_x
  lda #$a5
  sta random
  jsr drop
  lda #$80         ; tell of each frame
  sta $2000
  lda #$10         ; show sprites
  sta $2001
wait:
  lda is_frame
  beq wait
  lda #0
  sta is_frame
  jsr read_buttons
  jsr move
  jsr draw
  jmp wait

; The register x^8 + x^6 + x^5 + x^4 + 1.
shuffle:
  lda random
  lsr
  bcc @done
  eor #$b8
@done:
  sta random
  rts

drop:
  jsr shuffle
  sta apple_x
  lda #0
  sta apple_y
  sta fraction
  lda #8
  sta speed
  rts

read_buttons:
  lda #1
  sta $4016
  lda #0
  sta $4016
  ldx #8
@next:
  lda $4016
  lsr
  rol buttons
  dex
  bne @next
  rts

move:
  inc frames
  lda caught
  cmp #WANTED
  beq @done
  lda lost
  cmp #LOST_MAX
  beq @done
  jsr shuffle
  lda buttons
  lsr
  bcc @not_right
  inc basket_x
  inc basket_x
@not_right:
  lda buttons
  and #$02
  beq @not_left
  dec basket_x
  dec basket_x
@not_left:
  inc speed
  lda speed
  lsr
  lsr
  lsr
  lsr
  clc
  adc apple_y
  sta apple_y
  cmp #FLOOR
  bcc @done
  lda apple_x      ; within 16 of the basket, either way around
  sec
  sbc basket_x
  clc
  adc #16
  cmp #32
  bcs @missed
  inc caught
  jmp drop
@missed:
  inc lost
  jmp drop
@done:
  rts

draw:
  lda #FLOOR
  sta sprites
  lda basket_x
  sta sprites+3
  lda apple_y
  sta sprites+4
  lda apple_x
  sta sprites+7
  lda #1
  sta sprites+1
  sta sprites+5
  rts

on_frame:
  pha
  lda #0
  sta $2003
  lda #>sprites
  sta $4014
  lda #1
  sta is_frame
  pla
  rti

on_interrupt:
  rti

.segment "VECTORS"
  .word on_frame, reset, on_interrupt

.segment "CHARS"
  .res 16
  .byte $3c, $7e, $ff, $ff, $ff, $ff, $7e, $3c
  .res 8
