; Made of sha256.c by `python -m native`; SHA-256 of that file:
; bf53d0a3e3312198a4be403154f3e139b5b27bd4b7fe41e7cb7098bb04accb02

%union.blocks = type { [16 x <8 x i32>] }
%union.anon = type { <8 x i32> }

@FIRST = internal constant [8 x i32] [i32 1779033703, i32 -1150833019, i32 1013904242, i32 -1521486534, i32 1359893119, i32 -1694144372, i32 528734635, i32 1541459225], align 16
@ROUND = internal constant [64 x i32] [i32 1116352408, i32 1899447441, i32 -1245643825, i32 -373957723, i32 961987163, i32 1508970993, i32 -1841331548, i32 -1424204075, i32 -670586216, i32 310598401, i32 607225278, i32 1426881987, i32 1925078388, i32 -2132889090, i32 -1680079193, i32 -1046744716, i32 -459576895, i32 -272742522, i32 264347078, i32 604807628, i32 770255983, i32 1249150122, i32 1555081692, i32 1996064986, i32 -1740746414, i32 -1473132947, i32 -1341970488, i32 -1084653625, i32 -958395405, i32 -710438585, i32 113926993, i32 338241895, i32 666307205, i32 773529912, i32 1294757372, i32 1396182291, i32 1695183700, i32 1986661051, i32 -2117940946, i32 -1838011259, i32 -1564481375, i32 -1474664885, i32 -1035236496, i32 -949202525, i32 -778901479, i32 -694614492, i32 -200395387, i32 275423344, i32 430227734, i32 506948616, i32 659060556, i32 883997877, i32 958139571, i32 1322822218, i32 1537002063, i32 1747873779, i32 1955562222, i32 2024104815, i32 -2067236844, i32 -1933114872, i32 -1866530822, i32 -1538233109, i32 -1090935817, i32 -965641998], align 16

define void @hash_texts(ptr %0) {
  %2 = alloca [8 x <8 x i32>], align 32
  %3 = alloca [8 x <8 x i32>], align 32
  %4 = alloca [8 x ptr], align 16
  %5 = alloca [8 x i64], align 16
  %6 = alloca [8 x <8 x i32>], align 32
  %7 = alloca [8 x [32 x i8]], align 16
  %8 = getelementptr inbounds i8, ptr %0, i64 24
  %9 = load ptr, ptr %8, align 8
  call fastcc void @begin(ptr %2, ptr %9)
  %10 = icmp eq ptr %9, null
  br i1 %10, label %13, label %11

11:                                               ; preds = %1
  %12 = getelementptr inbounds i8, ptr %9, i64 64
  call fastcc void @begin(ptr %3, ptr %12)
  br label %13

13:                                               ; preds = %11, %1
  %14 = phi i64 [ 64, %11 ], [ 0, %1 ]
  %15 = getelementptr inbounds i8, ptr %0, i64 16
  %16 = load i64, ptr %15, align 8
  %17 = icmp sgt i64 %16, 0
  br i1 %17, label %18, label %21

18:                                               ; preds = %13
  %19 = getelementptr inbounds i8, ptr %0, i64 8
  %20 = getelementptr inbounds i8, ptr %0, i64 32
  br label %22

21:                                               ; preds = %99, %13
  ret void

22:                                               ; preds = %18, %99
  %23 = phi i64 [ %16, %18 ], [ %100, %99 ]
  %24 = phi i64 [ 0, %18 ], [ %101, %99 ]
  %25 = sub i64 %23, %24
  %26 = call i64 @llvm.smin.i64(i64 %25, i64 8)
  %27 = trunc i64 %26 to i32
  %28 = load ptr, ptr %0, align 8
  %29 = load ptr, ptr %19, align 8
  %30 = getelementptr inbounds i64, ptr %29, i64 %24
  %31 = and i64 %26, 4294967295
  br label %33

32:                                               ; preds = %33
  br label %51

33:                                               ; preds = %22, %33
  %34 = phi i64 [ 0, %22 ], [ %46, %33 ]
  %35 = icmp ult i64 %34, %31
  %36 = and i64 %34, 4294967295
  %37 = select i1 %35, i64 %36, i64 0
  %38 = getelementptr inbounds i64, ptr %30, i64 %37
  %39 = load i64, ptr %38, align 8
  %40 = getelementptr inbounds i8, ptr %28, i64 %39
  %41 = getelementptr inbounds ptr, ptr %4, i64 %34
  store ptr %40, ptr %41, align 8
  %42 = getelementptr inbounds i8, ptr %38, i64 8
  %43 = load i64, ptr %42, align 8
  %44 = sub i64 %43, %39
  %45 = getelementptr inbounds i64, ptr %5, i64 %34
  store i64 %44, ptr %45, align 8
  %46 = add i64 %34, 1
  %47 = icmp eq i64 %46, 8
  br i1 %47, label %32, label %33

48:                                               ; preds = %51
  call fastcc void @hash(ptr %6, ptr %4, ptr %5, i64 %14)
  %49 = load ptr, ptr %8, align 8
  %50 = icmp eq ptr %49, null
  br i1 %50, label %95, label %58

51:                                               ; preds = %32, %51
  %52 = phi i64 [ 0, %32 ], [ %56, %51 ]
  %53 = getelementptr inbounds <8 x i32>, ptr %2, i64 %52
  %54 = load <8 x i32>, ptr %53, align 32
  %55 = getelementptr inbounds <8 x i32>, ptr %6, i64 %52
  store <8 x i32> %54, ptr %55, align 32
  %56 = add i64 %52, 1
  %57 = icmp eq i64 %56, 8
  br i1 %57, label %48, label %51

58:                                               ; preds = %48
  br label %59

59:                                               ; preds = %58, %82
  %60 = phi i64 [ 0, %58 ], [ %85, %82 ]
  %61 = getelementptr inbounds [32 x i8], ptr %7, i64 %60
  %62 = getelementptr i32, ptr %6, i64 %60
  br label %63

63:                                               ; preds = %69, %59
  %64 = phi i64 [ 0, %59 ], [ %70, %69 ]
  %65 = getelementptr <8 x i32>, ptr %62, i64 %64
  %66 = load i32, ptr %65, align 4
  %67 = shl i64 %64, 2
  %68 = getelementptr inbounds i8, ptr %61, i64 %67
  br label %72

69:                                               ; preds = %72
  %70 = add i64 %64, 1
  %71 = icmp eq i64 %70, 8
  br i1 %71, label %82, label %63

72:                                               ; preds = %72, %63
  %73 = phi i64 [ 0, %63 ], [ %80, %72 ]
  %74 = trunc i64 %73 to i32
  %75 = shl i32 %74, 3
  %76 = sub i32 24, %75
  %77 = lshr i32 %66, %76
  %78 = trunc i32 %77 to i8
  %79 = getelementptr inbounds i8, ptr %68, i64 %73
  store i8 %78, ptr %79, align 1
  %80 = add i64 %73, 1
  %81 = icmp eq i64 %80, 4
  br i1 %81, label %69, label %72

82:                                               ; preds = %69
  %83 = getelementptr inbounds ptr, ptr %4, i64 %60
  store ptr %61, ptr %83, align 8
  %84 = getelementptr inbounds i64, ptr %5, i64 %60
  store i64 32, ptr %84, align 8
  %85 = add i64 %60, 1
  %86 = icmp eq i64 %85, 8
  br i1 %86, label %88, label %59

87:                                               ; preds = %88
  call fastcc void @hash(ptr %6, ptr %4, ptr %5, i64 %14)
  br label %95

88:                                               ; preds = %82, %88
  %89 = phi i64 [ %93, %88 ], [ 0, %82 ]
  %90 = getelementptr inbounds <8 x i32>, ptr %3, i64 %89
  %91 = load <8 x i32>, ptr %90, align 32
  %92 = getelementptr inbounds <8 x i32>, ptr %6, i64 %89
  store <8 x i32> %91, ptr %92, align 32
  %93 = add i64 %89, 1
  %94 = icmp eq i64 %93, 8
  br i1 %94, label %87, label %88

95:                                               ; preds = %87, %48
  %96 = icmp sgt i32 %27, 0
  br i1 %96, label %103, label %99

97:                                               ; preds = %129
  %98 = load i64, ptr %15, align 8
  br label %99

99:                                               ; preds = %97, %95
  %100 = phi i64 [ %98, %97 ], [ %23, %95 ]
  %101 = add i64 %24, 8
  %102 = icmp slt i64 %101, %100
  br i1 %102, label %22, label %21

103:                                              ; preds = %95, %129
  %104 = phi i64 [ %130, %129 ], [ 0, %95 ]
  %105 = load ptr, ptr %20, align 8
  %106 = add i64 %24, %104
  %107 = shl i64 %106, 5
  %108 = getelementptr inbounds i8, ptr %105, i64 %107
  %109 = getelementptr i32, ptr %6, i64 %104
  br label %110

110:                                              ; preds = %116, %103
  %111 = phi i64 [ 0, %103 ], [ %117, %116 ]
  %112 = getelementptr <8 x i32>, ptr %109, i64 %111
  %113 = load i32, ptr %112, align 4
  %114 = shl i64 %111, 2
  %115 = getelementptr inbounds i8, ptr %108, i64 %114
  br label %119

116:                                              ; preds = %119
  %117 = add i64 %111, 1
  %118 = icmp eq i64 %117, 8
  br i1 %118, label %129, label %110

119:                                              ; preds = %119, %110
  %120 = phi i64 [ 0, %110 ], [ %127, %119 ]
  %121 = trunc i64 %120 to i32
  %122 = shl i32 %121, 3
  %123 = sub i32 24, %122
  %124 = lshr i32 %113, %123
  %125 = trunc i32 %124 to i8
  %126 = getelementptr inbounds i8, ptr %115, i64 %120
  store i8 %125, ptr %126, align 1
  %127 = add i64 %120, 1
  %128 = icmp eq i64 %127, 4
  br i1 %128, label %116, label %119

129:                                              ; preds = %116
  %130 = add i64 %104, 1
  %131 = icmp ult i64 %130, %31
  br i1 %131, label %103, label %97
}

define internal fastcc void @begin(ptr %0, ptr %1) {
  %3 = alloca [8 x <8 x i32>], align 32
  %4 = alloca %union.blocks, align 32
  br label %7

5:                                                ; preds = %7
  %6 = icmp eq ptr %1, null
  br i1 %6, label %155, label %16

7:                                                ; preds = %2, %7
  %8 = phi i64 [ 0, %2 ], [ %14, %7 ]
  %9 = getelementptr inbounds i32, ptr @FIRST, i64 %8
  %10 = load i32, ptr %9, align 4
  %11 = insertelement <8 x i32> poison, i32 %10, i64 0
  %12 = shufflevector <8 x i32> %11, <8 x i32> poison, <8 x i32> zeroinitializer
  %13 = getelementptr inbounds <8 x i32>, ptr %0, i64 %8
  store <8 x i32> %12, ptr %13, align 32
  %14 = add i64 %8, 1
  %15 = icmp eq i64 %14, 8
  br i1 %15, label %5, label %7

16:                                               ; preds = %5
  br label %125

17:                                               ; preds = %152
  %18 = load <8 x i32>, ptr %0, align 32
  %19 = getelementptr inbounds i8, ptr %0, i64 32
  %20 = load <8 x i32>, ptr %19, align 32
  %21 = getelementptr inbounds i8, ptr %0, i64 64
  %22 = load <8 x i32>, ptr %21, align 32
  %23 = getelementptr inbounds i8, ptr %0, i64 96
  %24 = load <8 x i32>, ptr %23, align 32
  %25 = getelementptr inbounds i8, ptr %0, i64 128
  %26 = load <8 x i32>, ptr %25, align 32
  %27 = getelementptr inbounds i8, ptr %0, i64 160
  %28 = load <8 x i32>, ptr %27, align 32
  %29 = getelementptr inbounds i8, ptr %0, i64 192
  %30 = load <8 x i32>, ptr %29, align 32
  %31 = getelementptr inbounds i8, ptr %0, i64 224
  %32 = load <8 x i32>, ptr %31, align 32
  br label %41

33:                                               ; preds = %84
  store <8 x i32> %113, ptr %3, align 32
  %34 = getelementptr inbounds i8, ptr %3, i64 32
  store <8 x i32> %43, ptr %34, align 32
  %35 = getelementptr inbounds i8, ptr %3, i64 64
  store <8 x i32> %44, ptr %35, align 32
  %36 = getelementptr inbounds i8, ptr %3, i64 96
  store <8 x i32> %45, ptr %36, align 32
  %37 = getelementptr inbounds i8, ptr %3, i64 128
  store <8 x i32> %112, ptr %37, align 32
  %38 = getelementptr inbounds i8, ptr %3, i64 160
  store <8 x i32> %50, ptr %38, align 32
  %39 = getelementptr inbounds i8, ptr %3, i64 192
  store <8 x i32> %49, ptr %39, align 32
  %40 = getelementptr inbounds i8, ptr %3, i64 224
  store <8 x i32> %48, ptr %40, align 32
  br label %115

41:                                               ; preds = %84, %17
  %42 = phi i64 [ 0, %17 ], [ %52, %84 ]
  %43 = phi <8 x i32> [ %18, %17 ], [ %113, %84 ]
  %44 = phi <8 x i32> [ %20, %17 ], [ %43, %84 ]
  %45 = phi <8 x i32> [ %22, %17 ], [ %44, %84 ]
  %46 = phi <8 x i32> [ %24, %17 ], [ %45, %84 ]
  %47 = phi <8 x i32> [ %32, %17 ], [ %48, %84 ]
  %48 = phi <8 x i32> [ %30, %17 ], [ %49, %84 ]
  %49 = phi <8 x i32> [ %28, %17 ], [ %50, %84 ]
  %50 = phi <8 x i32> [ %26, %17 ], [ %112, %84 ]
  %51 = icmp ugt i64 %42, 15
  %52 = add i64 %42, 1
  br i1 %51, label %56, label %53

53:                                               ; preds = %41
  %54 = getelementptr inbounds <8 x i32>, ptr %4, i64 %42
  %55 = load <8 x i32>, ptr %54, align 32
  br label %84

56:                                               ; preds = %41
  %57 = and i64 %52, 15
  %58 = getelementptr inbounds <8 x i32>, ptr %4, i64 %57
  %59 = load <8 x i32>, ptr %58, align 32
  %60 = add i64 %42, 14
  %61 = and i64 %60, 15
  %62 = getelementptr inbounds <8 x i32>, ptr %4, i64 %61
  %63 = load <8 x i32>, ptr %62, align 32
  %64 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %59, <8 x i32> %59, <8 x i32> splat (i32 25))
  %65 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %59, <8 x i32> %59, <8 x i32> splat (i32 14))
  %66 = xor <8 x i32> %64, %65
  %67 = lshr <8 x i32> %59, splat (i32 3)
  %68 = xor <8 x i32> %66, %67
  %69 = add i64 %42, 9
  %70 = and i64 %69, 15
  %71 = getelementptr inbounds <8 x i32>, ptr %4, i64 %70
  %72 = load <8 x i32>, ptr %71, align 32
  %73 = add <8 x i32> %68, %72
  %74 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %63, <8 x i32> %63, <8 x i32> splat (i32 15))
  %75 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %63, <8 x i32> %63, <8 x i32> splat (i32 13))
  %76 = xor <8 x i32> %74, %75
  %77 = lshr <8 x i32> %63, splat (i32 10)
  %78 = xor <8 x i32> %76, %77
  %79 = and i64 %42, 15
  %80 = getelementptr inbounds <8 x i32>, ptr %4, i64 %79
  %81 = load <8 x i32>, ptr %80, align 32
  %82 = add <8 x i32> %73, %81
  %83 = add <8 x i32> %82, %78
  store <8 x i32> %83, ptr %80, align 32
  br label %84

84:                                               ; preds = %53, %56
  %85 = phi <8 x i32> [ %83, %56 ], [ %55, %53 ]
  %86 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %50, <8 x i32> %50, <8 x i32> splat (i32 26))
  %87 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %50, <8 x i32> %50, <8 x i32> splat (i32 21))
  %88 = xor <8 x i32> %86, %87
  %89 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %50, <8 x i32> %50, <8 x i32> splat (i32 7))
  %90 = xor <8 x i32> %88, %89
  %91 = xor <8 x i32> %49, %48
  %92 = and <8 x i32> %91, %50
  %93 = xor <8 x i32> %92, %48
  %94 = getelementptr inbounds i32, ptr @ROUND, i64 %42
  %95 = load i32, ptr %94, align 4
  %96 = insertelement <8 x i32> poison, i32 %95, i64 0
  %97 = shufflevector <8 x i32> %96, <8 x i32> poison, <8 x i32> zeroinitializer
  %98 = add <8 x i32> %93, %47
  %99 = add <8 x i32> %98, %90
  %100 = add <8 x i32> %99, %85
  %101 = add <8 x i32> %100, %97
  %102 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %43, <8 x i32> %43, <8 x i32> splat (i32 30))
  %103 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %43, <8 x i32> %43, <8 x i32> splat (i32 19))
  %104 = xor <8 x i32> %102, %103
  %105 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %43, <8 x i32> %43, <8 x i32> splat (i32 10))
  %106 = xor <8 x i32> %104, %105
  %107 = and <8 x i32> %44, %43
  %108 = or <8 x i32> %44, %43
  %109 = and <8 x i32> %108, %45
  %110 = or <8 x i32> %109, %107
  %111 = add <8 x i32> %110, %106
  %112 = add <8 x i32> %101, %46
  %113 = add <8 x i32> %111, %101
  %114 = icmp eq i64 %52, 64
  br i1 %114, label %33, label %41

115:                                              ; preds = %115, %33
  %116 = phi i64 [ 0, %33 ], [ %122, %115 ]
  %117 = getelementptr inbounds <8 x i32>, ptr %3, i64 %116
  %118 = load <8 x i32>, ptr %117, align 32
  %119 = getelementptr inbounds <8 x i32>, ptr %0, i64 %116
  %120 = load <8 x i32>, ptr %119, align 32
  %121 = add <8 x i32> %120, %118
  store <8 x i32> %121, ptr %119, align 32
  %122 = add i64 %116, 1
  %123 = icmp eq i64 %122, 8
  br i1 %123, label %124, label %115

124:                                              ; preds = %115
  br label %155

125:                                              ; preds = %16, %152
  %126 = phi i64 [ 0, %16 ], [ %153, %152 ]
  %127 = getelementptr i32, ptr %4, i64 %126
  br label %128

128:                                              ; preds = %128, %125
  %129 = phi i64 [ 0, %125 ], [ %150, %128 ]
  %130 = shl i64 %129, 2
  %131 = getelementptr inbounds i8, ptr %1, i64 %130
  %132 = load i8, ptr %131, align 1
  %133 = zext i8 %132 to i32
  %134 = shl i32 %133, 24
  %135 = getelementptr inbounds i8, ptr %131, i64 1
  %136 = load i8, ptr %135, align 1
  %137 = zext i8 %136 to i32
  %138 = shl i32 %137, 16
  %139 = or i32 %138, %134
  %140 = getelementptr inbounds i8, ptr %131, i64 2
  %141 = load i8, ptr %140, align 1
  %142 = zext i8 %141 to i32
  %143 = shl i32 %142, 8
  %144 = or i32 %139, %143
  %145 = getelementptr inbounds i8, ptr %131, i64 3
  %146 = load i8, ptr %145, align 1
  %147 = zext i8 %146 to i32
  %148 = or i32 %144, %147
  %149 = getelementptr [8 x i32], ptr %127, i64 %129
  store i32 %148, ptr %149, align 4
  %150 = add i64 %129, 1
  %151 = icmp eq i64 %150, 16
  br i1 %151, label %152, label %128

152:                                              ; preds = %128
  %153 = add i64 %126, 1
  %154 = icmp eq i64 %153, 8
  br i1 %154, label %17, label %125

155:                                              ; preds = %5, %124
  ret void
}

define internal fastcc void @hash(ptr %0, ptr %1, ptr %2, i64 %3) {
  %5 = alloca [64 x i8], align 16
  %6 = alloca [8 x <8 x i32>], align 32
  %7 = alloca %union.blocks, align 32
  %8 = alloca %union.anon, align 32
  br label %26

9:                                                ; preds = %26
  %10 = icmp sgt i64 %33, 0
  br i1 %10, label %11, label %36

11:                                               ; preds = %9
  %12 = getelementptr inbounds i8, ptr %0, i64 32
  %13 = getelementptr inbounds i8, ptr %0, i64 64
  %14 = getelementptr inbounds i8, ptr %0, i64 96
  %15 = getelementptr inbounds i8, ptr %0, i64 128
  %16 = getelementptr inbounds i8, ptr %0, i64 160
  %17 = getelementptr inbounds i8, ptr %0, i64 192
  %18 = getelementptr inbounds i8, ptr %0, i64 224
  %19 = getelementptr inbounds i8, ptr %6, i64 32
  %20 = getelementptr inbounds i8, ptr %6, i64 64
  %21 = getelementptr inbounds i8, ptr %6, i64 96
  %22 = getelementptr inbounds i8, ptr %6, i64 128
  %23 = getelementptr inbounds i8, ptr %6, i64 160
  %24 = getelementptr inbounds i8, ptr %6, i64 192
  %25 = getelementptr inbounds i8, ptr %6, i64 224
  br label %37

26:                                               ; preds = %4, %26
  %27 = phi i64 [ 0, %4 ], [ %34, %26 ]
  %28 = phi i64 [ 0, %4 ], [ %33, %26 ]
  %29 = getelementptr inbounds i64, ptr %2, i64 %27
  %30 = load i64, ptr %29, align 8
  %31 = add i64 %30, 72
  %32 = sdiv i64 %31, 64
  %33 = call i64 @llvm.smax.i64(i64 %32, i64 %28)
  %34 = add i64 %27, 1
  %35 = icmp eq i64 %34, 8
  br i1 %35, label %9, label %26

36:                                               ; preds = %135, %9
  ret void

37:                                               ; preds = %11, %135
  %38 = phi i64 [ 0, %11 ], [ %136, %135 ]
  %39 = shl i64 %38, 6
  br label %138

40:                                               ; preds = %241
  %41 = load <8 x i32>, ptr %8, align 32
  %42 = load <8 x i32>, ptr %0, align 32
  %43 = load <8 x i32>, ptr %12, align 32
  %44 = load <8 x i32>, ptr %13, align 32
  %45 = load <8 x i32>, ptr %14, align 32
  %46 = load <8 x i32>, ptr %15, align 32
  %47 = load <8 x i32>, ptr %16, align 32
  %48 = load <8 x i32>, ptr %17, align 32
  %49 = load <8 x i32>, ptr %18, align 32
  br label %51

50:                                               ; preds = %94
  store <8 x i32> %123, ptr %6, align 32
  store <8 x i32> %53, ptr %19, align 32
  store <8 x i32> %54, ptr %20, align 32
  store <8 x i32> %55, ptr %21, align 32
  store <8 x i32> %122, ptr %22, align 32
  store <8 x i32> %60, ptr %23, align 32
  store <8 x i32> %59, ptr %24, align 32
  store <8 x i32> %58, ptr %25, align 32
  br label %125

51:                                               ; preds = %94, %40
  %52 = phi i64 [ 0, %40 ], [ %62, %94 ]
  %53 = phi <8 x i32> [ %42, %40 ], [ %123, %94 ]
  %54 = phi <8 x i32> [ %43, %40 ], [ %53, %94 ]
  %55 = phi <8 x i32> [ %44, %40 ], [ %54, %94 ]
  %56 = phi <8 x i32> [ %45, %40 ], [ %55, %94 ]
  %57 = phi <8 x i32> [ %49, %40 ], [ %58, %94 ]
  %58 = phi <8 x i32> [ %48, %40 ], [ %59, %94 ]
  %59 = phi <8 x i32> [ %47, %40 ], [ %60, %94 ]
  %60 = phi <8 x i32> [ %46, %40 ], [ %122, %94 ]
  %61 = icmp ugt i64 %52, 15
  %62 = add i64 %52, 1
  br i1 %61, label %66, label %63

63:                                               ; preds = %51
  %64 = getelementptr inbounds <8 x i32>, ptr %7, i64 %52
  %65 = load <8 x i32>, ptr %64, align 32
  br label %94

66:                                               ; preds = %51
  %67 = and i64 %62, 15
  %68 = getelementptr inbounds <8 x i32>, ptr %7, i64 %67
  %69 = load <8 x i32>, ptr %68, align 32
  %70 = add i64 %52, 14
  %71 = and i64 %70, 15
  %72 = getelementptr inbounds <8 x i32>, ptr %7, i64 %71
  %73 = load <8 x i32>, ptr %72, align 32
  %74 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %69, <8 x i32> %69, <8 x i32> splat (i32 25))
  %75 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %69, <8 x i32> %69, <8 x i32> splat (i32 14))
  %76 = xor <8 x i32> %74, %75
  %77 = lshr <8 x i32> %69, splat (i32 3)
  %78 = xor <8 x i32> %76, %77
  %79 = add i64 %52, 9
  %80 = and i64 %79, 15
  %81 = getelementptr inbounds <8 x i32>, ptr %7, i64 %80
  %82 = load <8 x i32>, ptr %81, align 32
  %83 = add <8 x i32> %78, %82
  %84 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %73, <8 x i32> %73, <8 x i32> splat (i32 15))
  %85 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %73, <8 x i32> %73, <8 x i32> splat (i32 13))
  %86 = xor <8 x i32> %84, %85
  %87 = lshr <8 x i32> %73, splat (i32 10)
  %88 = xor <8 x i32> %86, %87
  %89 = and i64 %52, 15
  %90 = getelementptr inbounds <8 x i32>, ptr %7, i64 %89
  %91 = load <8 x i32>, ptr %90, align 32
  %92 = add <8 x i32> %83, %91
  %93 = add <8 x i32> %92, %88
  store <8 x i32> %93, ptr %90, align 32
  br label %94

94:                                               ; preds = %63, %66
  %95 = phi <8 x i32> [ %93, %66 ], [ %65, %63 ]
  %96 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %60, <8 x i32> %60, <8 x i32> splat (i32 26))
  %97 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %60, <8 x i32> %60, <8 x i32> splat (i32 21))
  %98 = xor <8 x i32> %96, %97
  %99 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %60, <8 x i32> %60, <8 x i32> splat (i32 7))
  %100 = xor <8 x i32> %98, %99
  %101 = xor <8 x i32> %59, %58
  %102 = and <8 x i32> %101, %60
  %103 = xor <8 x i32> %102, %58
  %104 = getelementptr inbounds i32, ptr @ROUND, i64 %52
  %105 = load i32, ptr %104, align 4
  %106 = insertelement <8 x i32> poison, i32 %105, i64 0
  %107 = shufflevector <8 x i32> %106, <8 x i32> poison, <8 x i32> zeroinitializer
  %108 = add <8 x i32> %103, %57
  %109 = add <8 x i32> %108, %100
  %110 = add <8 x i32> %109, %95
  %111 = add <8 x i32> %110, %107
  %112 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %53, <8 x i32> %53, <8 x i32> splat (i32 30))
  %113 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %53, <8 x i32> %53, <8 x i32> splat (i32 19))
  %114 = xor <8 x i32> %112, %113
  %115 = call <8 x i32> @llvm.fshl.v8i32(<8 x i32> %53, <8 x i32> %53, <8 x i32> splat (i32 10))
  %116 = xor <8 x i32> %114, %115
  %117 = and <8 x i32> %54, %53
  %118 = or <8 x i32> %54, %53
  %119 = and <8 x i32> %118, %55
  %120 = or <8 x i32> %119, %117
  %121 = add <8 x i32> %120, %116
  %122 = add <8 x i32> %111, %56
  %123 = add <8 x i32> %121, %111
  %124 = icmp eq i64 %62, 64
  br i1 %124, label %50, label %51

125:                                              ; preds = %125, %50
  %126 = phi i64 [ 0, %50 ], [ %133, %125 ]
  %127 = getelementptr inbounds <8 x i32>, ptr %6, i64 %126
  %128 = load <8 x i32>, ptr %127, align 32
  %129 = and <8 x i32> %128, %41
  %130 = getelementptr inbounds <8 x i32>, ptr %0, i64 %126
  %131 = load <8 x i32>, ptr %130, align 32
  %132 = add <8 x i32> %131, %129
  store <8 x i32> %132, ptr %130, align 32
  %133 = add i64 %126, 1
  %134 = icmp eq i64 %133, 8
  br i1 %134, label %135, label %125

135:                                              ; preds = %125
  %136 = add i64 %38, 1
  %137 = icmp eq i64 %136, %33
  br i1 %137, label %36, label %37

138:                                              ; preds = %37, %241
  %139 = phi i64 [ 0, %37 ], [ %242, %241 ]
  %140 = getelementptr inbounds i64, ptr %2, i64 %139
  %141 = load i64, ptr %140, align 8
  %142 = add i64 %141, 72
  %143 = sdiv i64 %142, 64
  %144 = icmp slt i64 %38, %143
  %145 = sext i1 %144 to i32
  %146 = getelementptr inbounds i32, ptr %8, i64 %139
  store i32 %145, ptr %146, align 4
  br i1 %144, label %149, label %147

147:                                              ; preds = %138
  %148 = getelementptr inbounds i32, ptr %7, i64 %139
  br label %236

149:                                              ; preds = %138
  %150 = getelementptr inbounds ptr, ptr %1, i64 %139
  %151 = load ptr, ptr %150, align 8
  %152 = sub i64 %141, %39
  %153 = icmp sgt i64 %152, 63
  %154 = getelementptr i8, ptr %151, i64 %39
  br i1 %153, label %155, label %183

155:                                              ; preds = %149
  %156 = getelementptr i32, ptr %7, i64 %139
  br label %157

157:                                              ; preds = %157, %155
  %158 = phi i64 [ 0, %155 ], [ %179, %157 ]
  %159 = shl i64 %158, 2
  %160 = getelementptr inbounds i8, ptr %154, i64 %159
  %161 = load i8, ptr %160, align 1
  %162 = zext i8 %161 to i32
  %163 = shl i32 %162, 24
  %164 = getelementptr inbounds i8, ptr %160, i64 1
  %165 = load i8, ptr %164, align 1
  %166 = zext i8 %165 to i32
  %167 = shl i32 %166, 16
  %168 = or i32 %167, %163
  %169 = getelementptr inbounds i8, ptr %160, i64 2
  %170 = load i8, ptr %169, align 1
  %171 = zext i8 %170 to i32
  %172 = shl i32 %171, 8
  %173 = or i32 %168, %172
  %174 = getelementptr inbounds i8, ptr %160, i64 3
  %175 = load i8, ptr %174, align 1
  %176 = zext i8 %175 to i32
  %177 = or i32 %173, %176
  %178 = getelementptr [8 x i32], ptr %156, i64 %158
  store i32 %177, ptr %178, align 4
  %179 = add i64 %158, 1
  %180 = icmp eq i64 %179, 16
  br i1 %180, label %235, label %157

181:                                              ; preds = %192
  %182 = icmp slt i64 %152, 56
  br i1 %182, label %197, label %209

183:                                              ; preds = %149, %192
  %184 = phi i64 [ %195, %192 ], [ 0, %149 ]
  %185 = icmp slt i64 %184, %152
  br i1 %185, label %186, label %189

186:                                              ; preds = %183
  %187 = getelementptr i8, ptr %154, i64 %184
  %188 = load i8, ptr %187, align 1
  br label %192

189:                                              ; preds = %183
  %190 = icmp eq i64 %184, %152
  %191 = select i1 %190, i8 -128, i8 0
  br label %192

192:                                              ; preds = %189, %186
  %193 = phi i8 [ %188, %186 ], [ %191, %189 ]
  %194 = getelementptr inbounds i8, ptr %5, i64 %184
  store i8 %193, ptr %194, align 1
  %195 = add i64 %184, 1
  %196 = icmp eq i64 %195, 64
  br i1 %196, label %181, label %183

197:                                              ; preds = %181
  %198 = add i64 %141, %3
  %199 = shl i64 %198, 3
  br label %200

200:                                              ; preds = %200, %197
  %201 = phi i64 [ 0, %197 ], [ %207, %200 ]
  %202 = shl i64 %201, 3
  %203 = lshr i64 %199, %202
  %204 = trunc i64 %203 to i8
  %205 = sub i64 63, %201
  %206 = getelementptr inbounds i8, ptr %5, i64 %205
  store i8 %204, ptr %206, align 1
  %207 = add i64 %201, 1
  %208 = icmp eq i64 %207, 8
  br i1 %208, label %209, label %200

209:                                              ; preds = %200, %181
  %210 = getelementptr i32, ptr %7, i64 %139
  br label %211

211:                                              ; preds = %211, %209
  %212 = phi i64 [ 0, %209 ], [ %233, %211 ]
  %213 = shl i64 %212, 2
  %214 = getelementptr inbounds i8, ptr %5, i64 %213
  %215 = load i8, ptr %214, align 4
  %216 = zext i8 %215 to i32
  %217 = shl i32 %216, 24
  %218 = getelementptr inbounds i8, ptr %214, i64 1
  %219 = load i8, ptr %218, align 1
  %220 = zext i8 %219 to i32
  %221 = shl i32 %220, 16
  %222 = or i32 %221, %217
  %223 = getelementptr inbounds i8, ptr %214, i64 2
  %224 = load i8, ptr %223, align 2
  %225 = zext i8 %224 to i32
  %226 = shl i32 %225, 8
  %227 = or i32 %222, %226
  %228 = getelementptr inbounds i8, ptr %214, i64 3
  %229 = load i8, ptr %228, align 1
  %230 = zext i8 %229 to i32
  %231 = or i32 %227, %230
  %232 = getelementptr [8 x i32], ptr %210, i64 %212
  store i32 %231, ptr %232, align 4
  %233 = add i64 %212, 1
  %234 = icmp eq i64 %233, 16
  br i1 %234, label %235, label %211

235:                                              ; preds = %211, %157
  br label %241

236:                                              ; preds = %147, %236
  %237 = phi i64 [ 0, %147 ], [ %239, %236 ]
  %238 = getelementptr inbounds [8 x i32], ptr %148, i64 %237
  store i32 0, ptr %238, align 4
  %239 = add i64 %237, 1
  %240 = icmp eq i64 %239, 16
  br i1 %240, label %241, label %236

241:                                              ; preds = %236, %235
  %242 = add i64 %139, 1
  %243 = icmp eq i64 %242, 8
  br i1 %243, label %40, label %138
}

declare <8 x i32> @llvm.fshl.v8i32(<8 x i32>, <8 x i32>, <8 x i32>)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.smin.i64(i64, i64)
