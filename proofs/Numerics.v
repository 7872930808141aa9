(* Numerics: spec/numerics.md.  Each finite double is a whole number of units of 2^-1074. *)
Require Import Reals Lra Lia ZArith Psatz Bool.
Open Scope R_scope.

(** * Doubles *)

Definition unit := / IZR (2 ^ 1074).
(** m 2^e units, of 53 bits: the subnormal numbers (e = 0) among them *)
Definition is_double (n : Z) := exists m e, (Z.abs m < 2 ^ 53 /\ 0 <= e <= 2045 /\ n = m * 2 ^ e)%Z.

(** The 64 bits of IEEE 754: sign, exponent, fraction *)
Definition negative (b : Z) := (2 ^ 63 <=? b)%Z.
Definition exponent (b : Z) := (b / 2 ^ 52 mod 2 ^ 11)%Z.
Definition fraction (b : Z) := (b mod 2 ^ 52)%Z.
Definition gap (b : Z) := (2 ^ (Z.max (exponent b) 1 - 1))%Z.
Definition mantissa (b : Z) := (if exponent b =? 0 then fraction b else fraction b + 2 ^ 52)%Z.
Definition sign (b : Z) := (if negative b then -1 else 1)%Z.
Definition number (b : Z) := (sign b * (mantissa b * gap b))%Z.

Definition distance x n := Rabs (x - IZR n * unit).
Definition beyond := IZR (2 ^ 1024 - 2 ^ 970).

(** RS-NUM-1: b are the bits of the double nearest to x; of two, the one whose last bit is 0;
    infinity from
    2^1024 - 2^970 on, and +0 for 0 *)
Definition nearest_double (x : R) (b : Z) :=
  if (exponent b =? 2047)%Z then fraction b = 0%Z /\ (if negative b then x <= - beyond else beyond
      <= x)
  else Rabs x < beyond /\ is_double (number b) /\ (number b = 0%Z -> b = 0%Z) /\
    forall z, is_double z -> z <> number b ->
      distance x (number b) < distance x z \/ distance x (number b) = distance x z /\ Z.even b =
          true.

(** * What a program can decide: four times the points half-way to the neighbours, in units *)

Definition low (b : Z) :=
  (4 * (mantissa b * gap b) - (if (fraction b =? 0) && (1 <? exponent b) then gap b else 2 * gap
      b))%Z.
Definition high (b : Z) := (4 * (mantissa b * gap b) + 2 * gap b)%Z.
(** 4 x in units, with the sign of b *)
Definition scaled x (b : Z) := IZR (sign b * 2 ^ 1076) * x.

Lemma fraction_range b : (0 <= fraction b < 2 ^ 52)%Z.
Proof. apply Z.mod_pos_bound; reflexivity. Qed.
Lemma exponent_range b : (0 <= exponent b < 2 ^ 11)%Z.
Proof. apply Z.mod_pos_bound; reflexivity. Qed.
Lemma mantissa_range b : (0 <= mantissa b < 2 ^ 53)%Z.
Proof. pose proof (fraction_range b); unfold mantissa; change (2 ^ 53)%Z with (2 * 2 ^ 52)%Z;
    destruct (_ =? _)%Z; lia. Qed.
Lemma gap_pos b : (0 < gap b)%Z.
Proof. apply Z.pow_pos_nonneg; lia. Qed.

Lemma number_is_double b : (exponent b <> 2047)%Z -> is_double (number b).
Proof.
  intros N; pose proof (mantissa_range b); pose proof (exponent_range b).
  exists (sign b * mantissa b)%Z, (Z.max (exponent b) 1 - 1)%Z; split; [|split].
  - unfold sign; destruct (negative b); lia.
  - change (2 ^ 11)%Z with 2048%Z in *; lia.
  - unfold number, gap; ring.
Qed.
Lemma opposite z : is_double z -> is_double (- z).
Proof. intros (m & e & M & E & ->); exists (- m)%Z, e; split; [|split]; lia. Qed.

(** Any other double is at least as far as the neighbours. *)
Lemma neighbours b z : is_double z -> let n := (mantissa b * gap b)%Z in z <> n ->
  (4 * z <= 2 * low b - 4 * n \/ 2 * high b - 4 * n <= 4 * z)%Z.
Proof.
  intros (m & e & M & E & ->); unfold low, high; pose proof (fraction_range b) as F; pose proof
      (exponent_range b) as X.
  pose proof (gap_pos b) as G; pose proof (mantissa_range b) as MR; cbn zeta.
  destruct (Z.le_gt_cases (Z.max (exponent b) 1 - 1) e) as [L|L].
  - assert (m * 2 ^ e = m * 2 ^ (e - (Z.max (exponent b) 1 - 1)) * gap b)%Z as ->.
    { unfold gap; rewrite <- Z.mul_assoc, <- Z.pow_add_r by lia; f_equal; f_equal; lia. }
    generalize (m * 2 ^ (e - (Z.max (exponent b) 1 - 1)))%Z as k; intros k H.
    assert (k <> mantissa b) by congruence; destruct (_ && _); nia.
  - intros _; left; assert (gap b = 2 ^ (Z.max (exponent b) 1 - 1 - e) * 2 ^ e)%Z as GE.
    { unfold gap; rewrite <- Z.pow_add_r by lia; f_equal; lia. }
    assert (2 <= 2 ^ (Z.max (exponent b) 1 - 1 - e))%Z as K.
    { change 2%Z with (2 ^ 1)%Z at 1; apply Z.pow_le_mono_r; lia. }
    assert (0 < 2 ^ e)%Z by (apply Z.pow_pos_nonneg; lia).
    unfold mantissa in *; destruct (Z.eqb_spec (exponent b) 0); [lia|].
    destruct (Z.ltb_spec 1 (exponent b)); [|lia]; rewrite Bool.andb_true_r.
    set (k := (2 ^ (Z.max (exponent b) 1 - 1 - e))%Z) in *; set (u := (2 ^ e)%Z) in *; rewrite GE.
    change (2 ^ 53)%Z with (2 * 2 ^ 52)%Z in *; set (T := (2 ^ 52)%Z) in *; assert (1 < T)%Z by
        (unfold T; lia).
    destruct (Z.eqb_spec (fraction b) 0) as [Z|Z].
    + rewrite Z; assert (4 * m <= 4 * (T * k) - 2 * k)%Z by nia; nia.
    + assert (4 * m <= 4 * (T * k))%Z by nia; assert (T * k <= (fraction b + T) * k - k)%Z by nia;
        nia.
Qed.

Lemma high_beyond b : (exponent b <> 2047)%Z -> (high b <= 4 * (2 ^ 1024 - 2 ^ 970) * 2 ^ 1074)%Z /\
  (Z.even b = true -> high b < 4 * (2 ^ 1024 - 2 ^ 970) * 2 ^ 1074)%Z.
Proof.
  intros N; pose proof (mantissa_range b) as M; pose proof (exponent_range b) as E; pose proof
      (gap_pos b) as G.
  assert (gap b <= 2 ^ 2045)%Z as H.
  { apply Z.pow_le_mono_r; [reflexivity|change (2 ^ 11)%Z with 2048%Z in E; lia]. }
  replace (4 * (2 ^ 1024 - 2 ^ 970) * 2 ^ 1074)%Z with ((4 * 2 ^ 53 - 2) * 2 ^ 2045)%Z by
      reflexivity.
  unfold high; split; [|intros V].
  - apply Z.le_trans with ((4 * 2 ^ 53 - 2) * gap b)%Z; [nia|apply Z.mul_le_mono_nonneg_l;
      [discriminate|assumption]].
  - assert (Z.even (mantissa b) = true) as W.
    { assert (Z.even (fraction b) = true) as EF.
      { unfold fraction; rewrite Z.mod_eq by discriminate; rewrite Z.even_sub, V, Z.even_mul;
          reflexivity. }
      unfold mantissa; destruct (_ =? _)%Z; [assumption|rewrite Z.even_add, EF; reflexivity]. }
    apply Z.even_spec in W; destruct W as [h W].
    apply Z.lt_le_trans with ((4 * 2 ^ 53 - 2) * gap b)%Z; [nia|apply Z.mul_le_mono_nonneg_l;
        [discriminate|assumption]].
Qed.
Lemma low_beyond b : (- (4 * (2 ^ 1024 - 2 ^ 970) * 2 ^ 1074) < low b)%Z.
Proof.
  pose proof (mantissa_range b) as M; pose proof (exponent_range b) as E; pose proof (gap_pos b) as
      G.
  assert (gap b <= 2 ^ 2047)%Z as H.
  { apply Z.pow_le_mono_r; [reflexivity|change (2 ^ 11)%Z with 2048%Z in E; lia]. }
  assert (- (2 * 2 ^ 2047) <= low b)%Z by (unfold low; destruct (_ && _); nia).
  eapply Z.lt_le_trans; [|eassumption]; reflexivity.
Qed.

Lemma unit_pos : 0 < unit.
Proof. apply Rinv_0_lt_compat, IZR_lt; reflexivity. Qed.
Lemma scale_unit : IZR (2 ^ 1076) * unit = 4.
Proof.
  unfold unit; replace (2 ^ 1076)%Z with (4 * 2 ^ 1074)%Z by reflexivity; rewrite mult_IZR,
      Rmult_assoc, Rinv_r; [lra|].
  apply not_0_IZR; discriminate.
Qed.
Lemma sign_square b : (sign b * sign b = 1)%Z.
Proof. unfold sign; destruct (negative b); reflexivity. Qed.

(** The distance in quarters of units *)
Lemma distance_scaled x b z : 4 * distance x z = unit * Rabs (scaled x b - 4 * IZR (sign b * z)).
Proof.
  unfold distance, scaled; pose proof unit_pos; pose proof scale_unit as S.
  assert (x = IZR (2 ^ 1076) * x * unit / 4) as X by (transitivity (IZR (2 ^ 1076) * unit * x / 4);
      [rewrite S|]; field).
  rewrite X at 1; generalize dependent (2 ^ 1076)%Z; intros T S X.
  replace (IZR T * x * unit / 4 - IZR z * unit) with ((IZR T * x - 4 * IZR z) * (unit / 4)) by
      field.
  rewrite Rabs_mult, (Rabs_right (unit / 4)) by lra.
  assert (Rabs (IZR (sign b * T) * x - 4 * IZR (sign b * z)) = Rabs (IZR T * x - 4 * IZR z)) as ->;
      [|field].
  unfold sign; destruct (negative b); rewrite !mult_IZR; [|f_equal; lra].
  rewrite <- Rabs_Ropp; f_equal; lra.
Qed.
Lemma scaled_beyond x b : let B := IZR (4 * (2 ^ 1024 - 2 ^ 970) * 2 ^ 1074) in - B < scaled x b < B
    -> Rabs x < beyond.
Proof.
  unfold scaled, beyond; replace (4 * (2 ^ 1024 - 2 ^ 970) * 2 ^ 1074)%Z with (2 ^ 1076 * (2 ^ 1024
      - 2 ^ 970))%Z by reflexivity.
  rewrite !mult_IZR; assert (0 < IZR (2 ^ 1076)) by (apply IZR_lt; reflexivity).
  generalize dependent (IZR (2 ^ 1076)); intros T P; generalize (IZR (2 ^ 1024 - 2 ^ 970)); intros B
      [L H].
  apply Rabs_def1; unfold sign in *; destruct (negative b); nra.
Qed.

Theorem nearest_between x b : exponent b <> 2047%Z -> (number b = 0%Z -> b = 0%Z) ->
  IZR (low b) < scaled x b < IZR (high b) \/ Z.even b = true /\ IZR (low b) <= scaled x b <= IZR
      (high b) ->
  nearest_double x b.
Proof.
  intros N Z B; unfold nearest_double; destruct (Z.eqb_spec (exponent b) 2047) as [|_];
      [contradiction|].
  assert (IZR (low b) <= scaled x b <= IZR (high b)) as W by lra.
  split; [|split; [apply number_is_double; assumption|split; [assumption|]]].
  - apply (scaled_beyond x b); destruct (high_beyond b N) as [H1 H2]; pose proof (low_beyond b) as
      H3.
    apply IZR_le in H1; apply IZR_lt in H3; rewrite opp_IZR in H3; split; [lra|].
    destruct B as [B|[V B]]; [lra|]; specialize (H2 V); apply IZR_lt in H2; lra.
  - intros z D Ne; pose proof unit_pos.
    assert (is_double (sign b * z)) as D'.
    { unfold sign; destruct (negative b); [rewrite <- Z.opp_eq_mul_m1, Z.opp_involutive || replace
        (-1 * z)%Z with (- z)%Z by ring; apply opposite|rewrite Z.mul_1_l]; assumption. }
    assert (sign b * z <> mantissa b * gap b)%Z as Ne'.
    { intros E; apply Ne; unfold number; rewrite <- E, Z.mul_assoc, sign_square; ring. }
    pose proof (neighbours b _ D' Ne') as K; cbn zeta in K.
    pose proof (distance_scaled x b z) as D1; pose proof (distance_scaled x b (number b)) as D2.
    assert (sign b * number b = mantissa b * gap b)%Z as E by (unfold number; rewrite Z.mul_assoc,
        sign_square; ring).
    rewrite E in D2; set (n := (mantissa b * gap b)%Z) in *; set (y := scaled x b) in *; set (s :=
        (sign b * z)%Z) in *.
    assert (low b < 4 * n < high b)%Z as LH by (pose proof (gap_pos b); unfold low, high; fold n;
        destruct (_ && _); lia).
    destruct LH as [LL HH]; apply IZR_lt in LL, HH; rewrite mult_IZR in LL, HH.
    assert (IZR (low b) < y < IZR (high b) -> Rabs (y - 4 * IZR n) < Rabs (y - 4 * IZR s)) as S.
    { intros [L H0]; destruct K as [K|K]; apply IZR_le in K; rewrite minus_IZR, !mult_IZR in K;
        unfold Rabs; do 2 destruct (Rcase_abs _); lra. }
    assert (IZR (low b) <= y <= IZR (high b) -> Rabs (y - 4 * IZR n) <= Rabs (y - 4 * IZR s)) as S'.
    { intros [L H0]; destruct K as [K|K]; apply IZR_le in K; rewrite minus_IZR, !mult_IZR in K;
        unfold Rabs; do 2 destruct (Rcase_abs _); lra. }
    destruct B as [B|[V B]]; [left; specialize (S B); nra|].
    specialize (S' B); destruct S' as [S'|S']; [left; nra|right; split; [|assumption]; rewrite S' in
        D2; lra].
Qed.
Theorem nearest_infinite x b : exponent b = 2047%Z -> fraction b = 0%Z ->
  (if negative b then x <= - beyond else beyond <= x) -> nearest_double x b.
Proof. intros E F H; unfold nearest_double; rewrite E, F; split; [reflexivity|assumption]. Qed.
