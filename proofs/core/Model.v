(* What the C core computes with integers, function by function, as it stands in csrc/numerics.h,
   numerics.c and floating.h. Words are 128 bits and wrap around, as they do in C: so a theorem
   about these functions says as well that no overflow matters. Exponents do not wrap; Numerics.v
   bounds what is added to them. *)
Require Import ZArith List Bool.
From Rankspec.core Require Import Words.
Import ListNotations.
Open Scope Z_scope.

(** rs_number: a number from low 2^exponent to (low + slack) 2^exponent.  numerics.h *)
Record number := Number { low : Z; slack : Z; exponent : Z }.

(** numerics.h: rs_integer *)
Definition integer n := Number n 0 0.

(** numerics.c: narrowed.  [more] is what is added to the slack, 2 in C. *)
Definition narrowed_by more x :=
  let excess := bits (low x) - 120 in
  if 0 <? excess then Number (shr (low x) excess) (add (shr (slack x) excess) more) (exponent x +
    excess) else x.
Definition narrowed := narrowed_by 2.

(** numerics.c: is_zero *)
Definition is_zero x := Z.lor (low x) (slack x) =? 0.

(** numerics.c: common_exponent *)
Definition common_exponent x y :=
  let x := if is_zero x then y else x in
  let y := if is_zero y then x else y in
  let least := if exponent x <? exponent y then exponent x else exponent y in
  let x_top := exponent x + bits (Z.lor (low x) (slack x)) - 120 in
  let y_top := exponent y + bits (Z.lor (low y) (slack y)) - 120 in
  let top := if y_top <? x_top then x_top else y_top in
  if least <? top then top else least.

(** numerics.c: with_exponent. [more] is what is added to the slack, and [all] the slack of what is
    shifted out altogether, both 2 in C. *)
Definition with_exponent_by more all x e :=
  let shift := e - exponent x in
  if (shift <=? 0) && negb (is_zero x) then Number (shl (low x) (- shift)) (shl (slack x) (-
    shift)) e
  else if is_zero x || (127 <? shift) then Number 0 (if is_zero x then 0 else all) e
  else
    let l := shr (low x) shift in
    let exact := (slack x =? 0) && (shl l shift =? low x) in
    Number l (if exact then 0 else add (shr (slack x) shift) more) e.
Definition with_exponent := with_exponent_by 2 2.

(** numerics.h: rs_are_aligned *)
Definition are_aligned x y :=
  (exponent x =? exponent y) && (shr (Z.lor (Z.lor (Z.lor (low x) (slack x)) (low y)) (slack y))
    126 =? 0).

(** numerics.c: align *)
Definition align x y :=
  if are_aligned x y then (x, y)
  else let e := common_exponent x y in (with_exponent x e, with_exponent y e).

(** numerics.h: rs_sum, with numerics.c: rs_sum_of_any *)
Definition sum x y :=
  let (x, y) := align x y in Number (add (low x) (low y)) (add (slack x) (slack y)) (exponent x).

(** numerics.c: rs_difference *)
Inductive sign := Zero_difference | Positive_difference | Negative_difference | Open.
Definition difference x y :=
  let (a, b) := align x y in
  let lack := add (slack a) (slack b) in
  if add (low b) (slack b) <? low a then
    (Positive_difference, Number (sub (low a) (add (low b) (slack b))) lack (exponent a))
  else if add (low a) (slack a) <? low b then
    (Negative_difference, Number (sub (low b) (add (low a) (slack a))) lack (exponent a))
  else (if lack =? 0 then Zero_difference else Open, Number 0 lack (exponent a)).

(** numerics.c: rs_product, of which this is the product of two words, in two words *)
Definition words_of_product a b :=
  let a0 := half a in let a1 := shr a 64 in let b0 := half b in let b1 := shr b 64 in
  let lowest := mul a0 b0 in
  let middle := add (add (mul a0 b1) (mul a1 b0)) (shr lowest 64) in
  (add (mul a1 b1) (shr middle 64), Z.lor (shl middle 64) (half lowest)).

(** The marker of a number of which nothing is known *)
Definition unknown := Number 0 (2 ^ 127) 0.

Definition product x y :=
  let narrow := negb (shr (Z.lor (low x) (low y)) 120 =? 0) in
  let a := if narrow then narrowed x else x in
  let b := if narrow then narrowed y else y in
  if is_zero a || is_zero b then integer 0
  else if (low a <? slack a) || (low b <? slack b) then unknown
  else
    let (high, lower) := words_of_product (low a) (low b) in
    let a_bits := bits (low a) in let b_bits := bits (low b) in
    let excess := if 120 <? a_bits + b_bits then a_bits + b_bits - 120 else 0 in
    Number (if excess =? 0 then lower else Z.lor (shl high (128 - excess)) (shr lower excess))
           (add (add (shl (slack a) (b_bits - excess)) (shl (slack b) (a_bits + 1 - excess))) (if
             excess =? 0 then 0 else 1))
           (exponent a + exponent b + excess).

(** numerics.c: rs_wide_product *)
Definition wide_product gain discounts :=
  let g0 := half gain in let g1 := shr gain 64 in let d0 := half discounts in let d1 := shr
    discounts 64 in
  let middle := add (add (mul g1 d0) (mul g0 d1)) (shr (mul g0 d0) 64) in
  add (shr middle 32) (shl (mul g1 d1) 32).

(** numerics.h: rs_muldiv *)
Definition muldiv x a b := if a =? b then x else add (mul (x / b) a) (half (half (x mod b) * a) /
  b).

(** numerics.c: rs_root. The root in double precision, a whole number y of at most 63 bits, is the
    argument [root]; [more] is the last summand of the slack, 2 in C. *)
Definition shifted_for_root a := let shift := 126 - bits (low a) in shift - (exponent a - shift)
  mod 2.
Definition root_by more (root : Z -> Z) x :=
  let above := 2 ^ 25 in
  let a := narrowed x in
  if (low a =? 0) || (low a <? slack a) then Number 0 (if slack a =? 0 then 0 else 2 ^ 127) 0
  else
    let shift := shifted_for_root a in
    let X := shl (low a) shift in
    let y := root X in
    let by_y := add (shl (X / y) 62) (shl (X mod y) 62 / y) in
    let mean := shr (add (shl y 62) by_y) 1 in
    Number (sub mean above) (add (add above (shr (shl (slack a) shift) 1)) more) ((exponent a -
      shift) / 2 - 62).
Definition root := root_by 2.

(** numerics.c: leading_of, for low > 0 *)
Definition leading_of x :=
  let excess := bits (low x) - 64 in
  if excess <=? 0 then Number (half (low x * 2 ^ (- excess))) (if slack x =? 0 then 0 else 2 ^ 64 -
    1) (exponent x + excess)
  else
    let lack := add (shr (slack x) excess) 2 in
    Number (half (shr (low x) excess)) (if lack <? 2 ^ 64 - 1 then lack else 2 ^ 64 - 1) (exponent
      x + excess).
(** numerics.c: leading_product.  [more] is the last summand of the slack, 2 in C. *)
Definition leading_product_by more x y :=
  Number (shr (mul (low x) (low y)) 8)
         (add (add (shl (half (slack x + slack y)) 56) (shr (mul (slack x) (slack y)) 8)) more)
           (exponent x + exponent y + 8).
Definition leading_product := leading_product_by 2.

(** numerics.c: corrected. A loop of C is a function that takes so many steps at most; None where
    they are too few. *)
Fixpoint while_above (steps : nat) R B m :=
  match steps with
  | O => None
  | S n => if B / 2 <? R then while_above n (R - B) B (m + 1) else Some (R, m)
  end.
Fixpoint while_below (steps : nat) R B m :=
  match steps with
  | O => None
  | S n => if B / 2 <? - R then while_below n (R + B) B (m - 1) else Some (R, m)
  end.
Definition corrected R B m :=
  match while_above 100 R B m with Some (R, m) => while_below 100 R B m | None => None end.

(** numerics.c: round_carefully, the loop below the power of two *)
Fixpoint doubled (steps : nat) R B m d :=
  match steps with
  | O => None
  | S n =>
      if (m <? 2 ^ 52) || ((m =? 2 ^ 52) && (R <? 0)) then
        match corrected (R * 2) B (m * 2) with Some (R, m) => doubled n R B m (d + 1) | None =>
          None end
      else Some (R, m, d)
  end.

(** numerics.c: scaled_result: m 2^exponent, as a pair *)
Definition scaled_result (m s : Z) a b :=
  let e := exponent a - exponent b - s in
  if (e <? -1022) || (1023 <? e + 54) then None else Some (m, e).

(** numerics.c: round_carefully, from m with R = A - m B.  [quarter] is 4 in C. *)
Definition round_carefully_by quarter a b m s R B :=
  match corrected R B m with None => None | Some (R, m) =>
  match (if 2 ^ 53 <? m then
           match corrected (R + (if m mod 2 =? 1 then B else 0)) (B * 2) (m / 2) with
           | Some (R, m) => Some (R, m, B * 2, 1) | None => None end
         else Some (R, m, B, 0)) with None => None | Some (R, m, B, halved) =>
  match doubled 60 R B m 0 with None => None | Some (R, m, d) =>
    if (negb (slack a =? 0) && (124 <? bits (slack a) + (if 0 <? s then s else 0) + d)) ||
       (negb (slack b =? 0) && (124 <? bits (slack b) + 54 + (if s <? 0 then - s else 0))) then None
    else
      let over := if slack a =? 0 then 0 else signed (shl (if 0 <? s then shl (slack a) s else
        slack a) d) in
      let under := if slack b =? 0 then 0
                   else signed (mul (shl (if s <? 0 then shl (slack b) (- s) else slack b) halved)
                     m) in
      let below := (if m =? 2 ^ 52 then quarter else 2) * (R - under) in
      if (B <=? 2 * (R + over)) || (below <=? - B) then None else scaled_result m (s + d - halved)
        a b
  end end end.
Definition round_carefully := round_carefully_by 4.

(** numerics.c: rs_round_quotient, where [m] and [s] are those of the estimate in double precision,
    and the comparison in double precision does not decide. *)
Definition round_quotient_from m s above below :=
  let narrow := negb (shr (Z.lor (low above) (low below)) 120 =? 0) in
  let a := if narrow then narrowed above else above in
  let b := if narrow then narrowed below else below in
  if (low a =? 0) || (low b =? 0) then if is_zero a || is_zero b then Some (0, 0) else None
  else
    let A := if 128 <=? s then 0 else if 0 <? s then shl (low a) s else low a in
    let B := if s <? 0 then shl (low b) (- s) else low b in
    round_carefully a b m s (signed (sub A (mul B m))) B.

(** floating.h: rs_float, a mantissa from 2^127 on, or 0 *)
Record float := Float { mantissa : Z; power : Z }.
Definition float_zero := Float 0 0.

(** floating.h: rs_high_product *)
Definition high_product x y :=
  let x0 := half x in let x1 := shr x 64 in let y0 := half y in let y1 := shr y 64 in
  let first := add (mul x0 y1) (shr (mul x0 y0) 64) in
  let second := add (mul x1 y0) (half first) in
  add (add (mul x1 y1) (shr first 64)) (shr second 64).

(** floating.h: rs_float_of *)
Definition float_of x e :=
  if x =? 0 then float_zero else let shift := 128 - bits x in Float (shl x shift) (e - shift).

(** floating.h: rs_times *)
Definition times x y :=
  if (mantissa x =? 0) || (mantissa y =? 0) then float_zero
  else
    let high := high_product (mantissa x) (mantissa y) in
    let shift := if shr high 127 =? 0 then 1 else 0 in
    Float (shl high shift) (power x + power y + 128 - shift).

(** floating.h: rs_plus *)
Definition plus x y :=
  let swap := (mantissa x =? 0) || (negb (mantissa y =? 0) && (power x <? power y)) in
  let (x, y) := if swap then (y, x) else (x, y) in
  let shift := power x - power y in
  if (mantissa y =? 0) || (127 <? shift) then x
  else
    let sum := add (mantissa x) (shr (mantissa y) shift) in
    if mantissa x <=? sum then Float sum (power x)
    else Float (Z.lor (shr sum 1) (shl 1 127)) (power x + 1).

(** floating.h: rs_minus *)
Definition minus x y :=
  let shift := power x - power y in
  if (mantissa y =? 0) || (127 <? shift) then x
  else float_of (sub (mantissa x) (shr (mantissa y) shift)) (power x).

(** floating.h: rs_number_within.  [more] is the last summand of what it is off by, 4 in C. *)
Definition number_within_by more x error :=
  if mantissa x =? 0 then integer 0
  else
    let off := add (mul 4 error) more in
    Number (sub (mantissa x) off) (mul 2 off) (power x).
Definition number_within := number_within_by 4.

(** dcg.c: add_linear and add_in_two: sums of gains times the limbs of the discounts, in words of 64
    bits, or of 128 *)
Definition limb D i := (D / 2 ^ (32 * i)) mod 2 ^ 32.
Definition add_linear (l : list (Z * Z)) :=
  let sums i := fold_left (fun sum t => half (sum + half (fst t * limb (snd t) i))) l 0 in
  add (add (sums 0) (shl (sums 1) 32)) (shl (sums 2) 64).
Definition add_in_two (l : list (Z * Z)) :=
  let sum_low := fold_left (fun sum t => half (sum + half (fst t * limb (snd t) 0))) l 0 in
  let sum_high := fold_left (fun sum t => add sum (mul (fst t) (shr (snd t) 32))) l 0 in
  add sum_low (shl sum_high 32).
