; Copyright 2026 The Reprise Authors.
; SPDX-License-Identifier: Apache-2.0
;
; The same game for the Game Boy, as sdcc's assembler takes it. It draws nothing.
;
;   sdasgb -o catch.rel catch.s
;   sdcc -msm83 --no-std-crt0 --nostdlib catch.rel -o catch.ihx
;   makebin -Z catch.ihx catch.gb

	.module catch

	WANTED = 9
	LOST_MAX = 3
	FLOOR = 136

	; Of symbols.txt.
	basket_x = 0xC000
	apple_x = 0xC001
	apple_y = 0xC002
	speed = 0xC003
	caught = 0xC004
	lost = 0xC005
	random = 0xC006
	frames = 0xC007		; two bytes

	.area _HEADER (ABS)
	.org 0x0100
	nop
	jp reset

	.org 0x0150
reset:
	di
	ld sp, #0xDFFE
	xor a
	ld hl, #0xC000
	ld c, #16
clear:
	ld (hl+), a
	dec c
	jr NZ, clear
	ld a, #72
	ld (basket_x), a
	ld a, #0xA5
	ld (random), a
	ld a, #0x91		; the screen is on, or there are no frames
	ldh (0x40), a
	call drop
wait:
	ldh a, (0x44)		; the line that is drawn
	cp #144
	jr NZ, wait
	call move
leave:
	ldh a, (0x44)
	cp #144
	jr Z, leave
	jr wait

	; The register x^8 + x^6 + x^5 + x^4 + 1.
shuffle:
	ld a, (random)
	srl a
	jr NC, shuffled
	xor #0xB8
shuffled:
	ld (random), a
	ret

drop:
	call shuffle
	ld (apple_x), a
	xor a
	ld (apple_y), a
	ld a, #8
	ld (speed), a
	ret

move:
	ld hl, #frames
	inc (hl)
	jr NZ, counted
	inc hl
	inc (hl)
counted:
	ld a, (caught)
	cp #WANTED
	ret Z
	ld a, (lost)
	cp #LOST_MAX
	ret Z
	call shuffle
	ld a, #0x20		; the cross of the joypad
	ldh (0x00), a
	ldh a, (0x00)
	ldh a, (0x00)
	ld b, a			; 0 where it is pressed
	ld hl, #basket_x
	bit 0, b
	jr NZ, not_right
	inc (hl)
	inc (hl)
not_right:
	bit 1, b
	jr NZ, not_left
	dec (hl)
	dec (hl)
not_left:
	ld hl, #speed
	inc (hl)
	ld a, (hl)
	swap a
	and #0x0F
	ld hl, #apple_y
	add a, (hl)
	ld (hl), a
	cp #FLOOR
	ret C
	ld a, (basket_x)	; within 16 of the basket, either way around
	ld c, a
	ld a, (apple_x)
	sub a, c
	add a, #16
	cp #32
	jr NC, missed
	ld hl, #caught
	inc (hl)
	jr drop
missed:
	ld hl, #lost
	inc (hl)
	jr drop
